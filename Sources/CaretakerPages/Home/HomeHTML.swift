import CivilTime
import Sentences

/// The HTML of the page "Home".
struct HomeHTML: Sendable {
  let context: PageContext
  let device: DeviceReading
  let findings: [HomeFinding]
  let contacts: [ContactReading]
  let people: [PauseReading]
  let holidays: [HolidayReading]
  /// The section about supplies.
  var supplies: SuppliesHTML
  /// The section about phones.
  let phones: String
  /// The refusal of the change that the caretaker made; nil if no change was refused.
  var refusal: HomeRefusal?

  init(
    context: PageContext, device: DeviceReading, findings: [HomeFinding],
    contacts: [ContactReading], people: [PauseReading], holidays: [HolidayReading],
    supplies: SuppliesHTML, phones: String
  ) {
    (self.context, self.device, self.findings) = (context, device, findings)
    (self.contacts, self.people) = (contacts, people)
    (self.holidays, self.supplies, self.phones) = (holidays, supplies, phones)
  }

  var content: PageContent {
    PageContent(
      status: refusal?.status ?? 200, title: context.plain(.homePage),
      html: "<h1>\(context.say(.homePage))</h1>\n\(notices)\(problems)\(state)\(speakers)"
        + supplies.html + told + phones + pauses + days, isLive: true)
  }

  private var notices: String {
    if let refusal {
      return supplies.refused == nil
        ? context.notice(of: refusal) : context.notice(context.say(.formRefused), isRefusal: true)
    }
    let query = context.visit.query
    let contact = query.text("contact")
    switch query["saved"] {
    case "ring":
      return context.notice(context.say(.ringPlayed(device: query.text("device"))))
    case "stopped": return context.notice(context.say(.ringStopped), isRefusal: true)
    case "level": return context.notice(context.say(.levelSaved))
    case "supply":
      return context.notice(context.say(.supplySaved(supply: query.text("supply"))))
    case "supply_added":
      return context.notice(context.say(.supplyAdded(supply: query.text("supply"))))
    case "supply_changed":
      return context.notice(context.say(.supplyChanged(supply: query.text("supply"))))
    case "supply_removed":
      return context.notice(context.say(.supplyRemoved(supply: query.text("supply"))))
    case "sent": return context.notice(context.say(.contactReached(contact: contact)))
    case "failed":
      let why = context.english(query.text("why"))
      return context.notice(
        context.say(.contactNotReached(contact: contact)) + " " + why, isRefusal: true)
    case "waiting": return context.notice(context.say(.contactUnknownYet(contact: contact)))
    case "pause": return context.notice(context.say(.pauseSaved))
    case "resume": return context.notice(context.say(.pauseEnded))
    case "revoke":
      return context.notice(context.say(.phoneRevoked(number: query.text("phone"))))
    default: return ""
    }
  }

  // MARK: Problems and state

  private var problems: String {
    let (urgent, notes) = (
      findings.filter { $0.grade != .note }, findings.filter { $0.grade == .note }
    )
    let list =
      urgent.isEmpty
      ? "<p class=\"fine\">\(context.say(.noProblems))</p>\n"
      : "<ul class=\"findings\">\n\(urgent.map(finding).joined())</ul>\n"
    let more =
      notes.isEmpty
      ? ""
      : "<details id=\"notes\"><summary>\(context.say(.hints(count: notes.count)))</summary>\n"
        + "<ul class=\"findings\">\n\(notes.map(finding).joined())</ul></details>\n"
    return context.section("problems", .problemsHeading, isPart: true, list + more)
  }

  private func finding(_ finding: HomeFinding) -> String {
    let fix =
      finding.fix.map {
        "<p class=\"told\">\(context.say(.whatToDo)) \(context.english($0))</p>\n"
      } ?? ""
    return
      "<li class=\"grade-\(finding.grade.rawValue)\"><p>\(context.english(finding.text))</p>\n\(fix)</li>\n"
  }

  private var state: String {
    var rows: [(CaretakerSentence, String)] = []
    let speaker: CaretakerSentence =
      switch device.isSpeakerUsable {
      case true?: .speakerWorks
      case false?: .speakerSilent
      case nil: .speakerUntested
      }
    let heard = device.lastHeard.map { " " + context.say(.lastHeard(time: context.moment($0))) }
    rows.append((.speaker, context.say(speaker) + (heard ?? "")))
    rows.append(
      (.clock, context.say(device.isClockSynchronised ? .clockRight : .clockUnsure)))
    if let free = device.freeMegabytes {
      rows.append((.disk, context.say(.diskFree(megabytes: String(free)))))
    }
    if let events = device.events {
      let word = context.say(.recordEvents(events: String(events)))
      let broken = context.say(.recordBroken)
      rows.append((.record, device.isRecordWritable ? word : broken))
    }
    let list = rows.map { "<dt>\(context.say($0.0))</dt><dd>\($0.1)</dd>\n" }.joined()
    return context.section("state", .deviceState, isPart: true, "<dl>\n\(list)</dl>\n")
  }

  // MARK: Speakers

  private var speakers: String {
    let usable = device.speakers.filter(\.isUsable)
    let forms =
      usable.isEmpty
      ? context.form("/home", context.button("ring", .testRing))
      : usable.enumerated().map(speaker).joined()
    return context.section(
      "speakers", .speaker,
      "<p class=\"help\">\(context.say(.testRingHelp)) \(context.say(.calibrateHelp))</p>\n\(forms)"
    )
  }

  private func speaker(_ index: Int, _ speaker: DeviceReading.Speaker) -> String {
    guard let percent = speaker.percent else {
      return context.form(
        "/home", hidden: [("device", speaker.name)],
        "<p>\(context.escape(speaker.name))</p>\n\(context.button("ring", .testRing))")
    }
    // After a test ring, the field keeps the level of the test.
    let query = context.visit.query
    let tried = query.text("device") == speaker.name ? query["percent"] : nil
    return context.form(
      "/home", hidden: [("device", speaker.name)],
      """
      <p class="field"><label for="percent-\(index)">\(context.say(.levelOf(device: speaker.name)))</label>
      <input id="percent-\(index)" name="percent" type="number" min="1" max="100" \
      value="\(context.escape(tried ?? String(percent)))"></p>
      <div class="buttons">\(context.button("ring", .testRing))\(context.button("quieter", .testQuieter))\
      \(context.button("louder", .testLouder))\(context.button("level", .useLevel))</div>
      """)
  }

  // MARK: Contacts

  private var told: String {
    if contacts.isEmpty {
      return context.section(
        "contacts", .contacts, "<p class=\"nothing\">\(context.say(.noContacts))</p>\n")
    }
    let rows = contacts.map(contact).joined()
    return context.section(
      "contacts", .contacts, isPart: true, "<ul class=\"rows\">\n\(rows)</ul>\n")
  }

  private func contact(_ contact: ContactReading) -> String {
    let reached =
      contact.reached.map { context.say(.reachedAt(time: context.moment($0))) }
      ?? context.say(.neverReached)
    let failure =
      !contact.isFailing
      ? ""
      : "<p class=\"state\">"
        + context.say(.failedAt(time: contact.failed.map(context.moment) ?? "")) + " "
        + context.english(contact.failure ?? "") + "</p>\n"
    let calls = contact.isForCalls ? " · \(context.say(.forCalls))" : ""
    let button = context.form(
      "/home", hidden: [("contact", contact.name)],
      context.button(
        "contact", .testContact, about: .testContactOf(contact: contact.name)))
    return """
      <li class="\(contact.isFailing ? "bad" : "")"><div><p><strong>\(context.escape(contact.name))</strong></p>
      <p class="told">\(reached) · \(context.say(.usedByAlarms(count: contact.alarms)))\(calls)</p>
      \(failure)</div>\(button)</li>

      """
  }

  // MARK: Pauses

  private var pauses: String {
    let everybody = people.count > 1 ? pauseForm("", "everybody") : ""
    let rows = people.enumerated().map { index, person in
      let state =
        !person.isPaused
        ? context.say(.notPaused)
        : person.until.map { context.say(.pausedUntil(time: context.moment($0))) }
          ?? context.say(.pausedWithoutEnd)
      let end = context.form(
        "/home", hidden: [("person", person.id)], context.button("resume", .endPause))
      return """
        <li class="\(person.isPaused ? "bad" : "")"><div><p><strong>\(context.escape(person.name))</strong></p>
        <p class="state">\(state)</p></div>
        \(person.isPaused ? end : pauseForm(person.id, "person-\(index)"))</li>

        """
    }.joined()
    let all =
      everybody.isEmpty
      ? ""
      : "<li><div><p><strong>\(context.say(.everybody))</strong></p></div>\(everybody)"
        + (people.contains(where: \.isPaused)
          ? context.form(
            "/home", hidden: [("person", "")], context.button("resume", .endAllPauses)) : "")
        + "</li>\n"
    return context.section(
      "pauses", .pausesOfPeople,
      "<p class=\"help\">\(context.say(.pausesHelp))</p>\n<ul class=\"rows\">\n\(rows)\(all)</ul>\n"
    )
  }

  private func pauseForm(_ person: String, _ id: String) -> String {
    let name = person.isEmpty ? context.plain(.everybody) : context.household.name(of: person)
    return context.form(
      "/home", hidden: [("person", person)],
      """
      <p class="inline"><label for="until-\(id)">\(context.say(.pauseUntil))\
      <span class="unseen"> \(context.escape(name))</span></label>
      <input id="until-\(id)" name="until" type="date" min="\(context.household.today)" \
      value="\(context.household.today)">
      \(context.button("pause", .pauseAlarm, about: .pauseOf(name: name)))</p>
      """)
  }

  // MARK: Holidays

  private var days: String {
    if holidays.isEmpty {
      return context.section(
        "holidays", .holidays, "<p class=\"nothing\">\(context.say(.noHolidays))</p>\n")
    }
    let rows = holidays.map { list in
      let next =
        list.next.map {
          context.say(
            .nextHoliday(
              name: list.nextLabel, day: DateWords.calendarDay($0, in: context.language)))
        } ?? context.say(.noNextHoliday)
      let alarms =
        list.alarms.isEmpty ? "" : " · " + list.alarms.map(context.escape).joined(separator: ", ")
      return """
        <li><div><p><strong>\(context.escape(list.name))</strong></p>
        <p class="state">\(next)</p>
        <p class="told">\(context.say(.holidayCount(count: list.count)))\(alarms)</p></div></li>

        """
    }.joined()
    return context.section("holidays", .holidays, "<ul class=\"rows\">\n\(rows)</ul>\n")
  }
}
