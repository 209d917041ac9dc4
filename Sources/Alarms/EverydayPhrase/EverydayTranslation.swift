/// Translates common German and French words for schedules into English words.
///
/// Prompter does not set an alarm from a translated phrase. The refusal contains the English
/// phrase, and the person can check and type this phrase.
enum EverydayTranslation {
  static let table: [(from: String, to: String)] = [
    ("jeden werktag", "weekdays"), ("außer", "except"), ("nächsten", "next"), ("nach", "past"),
    ("vor", "to"), ("zwei", "2"), ("drei", "3"), ("vier", "4"), ("fünf", "5"), ("sechs", "6"),
    ("sieben", "7"), ("acht", "8"), ("neun", "9"), ("zehn", "10"), ("elf", "11"), ("zwölf", "12"),
    ("viertel", "quarter"), ("de chaque mois", "of every month"), ("le", "on"),
    ("jeden zweiten tag", "every other day"), ("jeden tag", "every day"), ("täglich", "daily"),
    ("jeden morgen", "every morning"), ("jeden abend", "every evening"),
    ("jeden nachmittag", "every afternoon"), ("jede nacht", "every night"),
    ("jede woche", "every week"), ("jeden monat", "every month"),
    ("jedes monats", "of every month"), ("jeden monats", "of every month"),
    ("des monats", "of the month"), ("jede stunde", "every hour"), ("stündlich", "hourly"),
    ("am wochenende", "weekends"), ("wochentags", "weekdays"), ("werktags", "weekdays"),
    ("an werktagen", "weekdays"), ("morgen früh", "tomorrow morning"),
    ("morgen abend", "tomorrow evening"), ("heute abend", "this evening"),
    ("am morgen", "in the morning"), ("am abend", "in the evening"),
    ("am nachmittag", "in the afternoon"), ("morgens", "in the morning"),
    ("vormittags", "in the morning"), ("abends", "in the evening"),
    ("nachmittags", "in the afternoon"), ("nachts", "at night"), ("mittags", "at noon"),
    ("mittag", "noon"), ("mitternacht", "midnight"), ("übermorgen", "day after tomorrow"),
    ("morgen", "tomorrow"), ("heute", "today"), ("einmal täglich", "once a day"),
    ("zweimal täglich", "twice a day"), ("zweimal am tag", "twice a day"),
    ("dreimal täglich", "three times a day"), ("dreimal am tag", "three times a day"),
    ("viermal täglich", "four times a day"), ("wöchentlich", "weekly"), ("monatlich", "monthly"),
    ("jährlich", "yearly"), ("jeden", "every"), ("jede", "every"), ("jedes", "every"),
    ("alle", "every"), ("und", "and"), ("um", "at"), ("bis", "until"), ("von", "from"),
    ("ab", "starting"), ("am", "on"), ("stunden", "hours"), ("stunde", "hour"),
    ("minuten", "minutes"), ("tage", "days"), ("tagen", "days"),
    ("wochen", "weeks"), ("halb", "half"), ("viertel nach", "quarter past"),
    ("viertel vor", "quarter to"), ("letzten", "last"), ("letzter", "last"), ("tag", "day"),
    ("tous les jours", "every day"), ("chaque jour", "every day"),
    ("tous les matins", "every morning"), ("chaque matin", "every morning"),
    ("tous les soirs", "every evening"), ("chaque soir", "every evening"),
    ("du matin", "in the morning"), ("du soir", "in the evening"),
    ("de l'après-midi", "in the afternoon"),
    ("deux fois par jour", "twice a day"), ("trois fois par jour", "three times a day"),
    ("une fois par jour", "once a day"), ("toutes les", "every"), ("tous les", "every"),
    ("chaque", "every"), ("demain matin", "tomorrow morning"), ("demain soir", "tomorrow evening"),
    ("ce soir", "this evening"), ("demain", "tomorrow"), ("aujourd'hui", "today"),
    ("midi", "noon"), ("minuit", "midnight"), ("dans", "in"), ("à", "at"), ("et", "and"),
    ("heures", "hours"), ("heure", "hour"), ("jusqu'au", "until"),
  ]

  /// The rows of `table`. Each foreign phrase is split into its words. Phrases with more words come
  /// first, so that `english` finds a long phrase before a shorter phrase that is a part of the
  /// long phrase.
  private static let groups = EverydayWords.groups(table).sorted { $0.from.count > $1.from.count }

  static let days: [String: String] = {
    let names: [[String]] = [
      ["montag", "lundi"], ["dienstag", "mardi"], ["mittwoch", "mercredi"],
      ["donnerstag", "jeudi"], ["freitag", "vendredi"], ["samstag", "samedi", "sonnabend"],
      ["sonntag", "dimanche"],
    ]
    let english = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    var found: [String: String] = [:]
    for (words, day) in zip(names, english) {
      for word in words {
        found[word] = day
        found[word + "s"] = day + "s"
      }
    }
    return found
  }()

  static let months: [String: String] = [
    "januar": "january", "februar": "february", "märz": "march", "mai": "may", "juni": "june",
    "juli": "july", "oktober": "october", "dezember": "december", "janvier": "january",
    "février": "february", "mars": "march", "avril": "april", "juin": "june", "juillet": "july",
    "août": "august", "septembre": "september", "octobre": "october", "novembre": "november",
    "décembre": "december",
  ]

  /// The words that show that a phrase is German or French. The function `english` translates a
  /// phrase only if the phrase contains one of these words, or a German or French weekday or month.
  /// The list does not contain words that are also English words, for example "am".
  static let signs: Set<String> = [
    "jeden", "jede", "jedes", "täglich", "stündlich", "morgens", "vormittags", "abends",
    "nachmittags", "nachts", "mittags", "mitternacht", "übermorgen", "morgen", "heute", "um",
    "uhr", "alle", "wochentags", "werktags", "werktagen", "wochenende", "wöchentlich", "monatlich",
    "monats", "jährlich", "und", "stunde", "stunden", "minuten", "tage", "tagen", "halb",
    "einmal", "zweimal", "dreimal", "viermal", "letzter", "letzten", "nächsten", "tous", "toutes",
    "chaque", "matin", "soir", "demain", "aujourd'hui", "midi", "minuit", "dans", "à", "heures",
    "fois",
  ]

  /// Returns the phrase in English words; nil if the phrase contains no German or French words.
  static func english(_ typed: [String]) -> [String]? {
    let words = typed.map { $0.precomposedQuotes }
    let isForeign = words.contains {
      signs.contains($0) && $0 != "uhr" || days[$0] != nil || months[$0] != nil
    }
    guard isForeign else { return nil }
    var result: [String] = []
    var index = 0
    while index < words.count {
      let rest = words[index...]
      if let found = groups.first(where: { rest.starts(with: $0.from) }) {
        result += found.to
        index += found.from.count
      } else {
        let word = words[index]
        result.append(days[word] ?? months[word] ?? word)
        index += 1
      }
    }
    // At this point, "à 8 heures" has become "at 8 hours". Here "hours" belongs to the time of day,
    // and is not a length of time. Therefore, remove this word.
    for place in result.indices.dropLast().reversed() where result[place + 1] == "hours" {
      if place > 0, result[place - 1] == "at" { result.remove(at: place + 1) }
    }
    return result
  }

}

extension String {
  fileprivate var precomposedQuotes: String { String(map { $0 == "’" ? "'" : $0 }) }
}
