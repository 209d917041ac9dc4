/// The names of zones in Windows. Outlook and Exchange write these names as TZID.
///
/// Source: the table windowsZones of CLDR 42 (ICU 72.1), with the territory 001 (the world). The
/// table contains all names of Windows zones in this source.
enum WindowsZones {
  /// Returns the tzdata zone of a Windows name; nil if Windows has no zone with this name. The
  /// comparison ignores upper and lower case.
  static func zone(_ name: String) -> String? { zones[name.lowercased()] }

  private static let zones = Dictionary(
    table.map { ($0.windows.lowercased(), $0.zone) }, uniquingKeysWith: { first, _ in first })

  /// All tzdata zones of the table. The list contains each zone once. The zones of the territory
  /// 001 are first, in the order of the table. The zones of all other territories follow in
  /// alphabetical order.
  static let candidates: [String] = {
    var seen: Set<String> = []
    let territories = more.split(whereSeparator: \.isWhitespace).map(String.init)
    return (table.map(\.zone) + territories).filter { seen.insert($0).inserted }
  }()

  private static let table: [(windows: String, zone: String)] = rows.split(separator: "\n").map {
    let parts = $0.split(separator: "=")
    return (String(parts[0]), String(parts[1]))
  }

  private static let rows = """
    AUS Central Standard Time=Australia/Darwin
    AUS Eastern Standard Time=Australia/Sydney
    Afghanistan Standard Time=Asia/Kabul
    Alaskan Standard Time=America/Anchorage
    Aleutian Standard Time=America/Adak
    Altai Standard Time=Asia/Barnaul
    Arab Standard Time=Asia/Riyadh
    Arabian Standard Time=Asia/Dubai
    Arabic Standard Time=Asia/Baghdad
    Argentina Standard Time=America/Buenos_Aires
    Astrakhan Standard Time=Europe/Astrakhan
    Atlantic Standard Time=America/Halifax
    Aus Central W. Standard Time=Australia/Eucla
    Azerbaijan Standard Time=Asia/Baku
    Azores Standard Time=Atlantic/Azores
    Bahia Standard Time=America/Bahia
    Bangladesh Standard Time=Asia/Dhaka
    Belarus Standard Time=Europe/Minsk
    Bougainville Standard Time=Pacific/Bougainville
    Canada Central Standard Time=America/Regina
    Cape Verde Standard Time=Atlantic/Cape_Verde
    Caucasus Standard Time=Asia/Yerevan
    Cen. Australia Standard Time=Australia/Adelaide
    Central America Standard Time=America/Guatemala
    Central Asia Standard Time=Asia/Almaty
    Central Brazilian Standard Time=America/Cuiaba
    Central Europe Standard Time=Europe/Budapest
    Central European Standard Time=Europe/Warsaw
    Central Pacific Standard Time=Pacific/Guadalcanal
    Central Standard Time=America/Chicago
    Central Standard Time (Mexico)=America/Mexico_City
    Chatham Islands Standard Time=Pacific/Chatham
    China Standard Time=Asia/Shanghai
    Cuba Standard Time=America/Havana
    Dateline Standard Time=Etc/GMT+12
    E. Africa Standard Time=Africa/Nairobi
    E. Australia Standard Time=Australia/Brisbane
    E. Europe Standard Time=Europe/Chisinau
    E. South America Standard Time=America/Sao_Paulo
    Easter Island Standard Time=Pacific/Easter
    Eastern Standard Time=America/New_York
    Eastern Standard Time (Mexico)=America/Cancun
    Egypt Standard Time=Africa/Cairo
    Ekaterinburg Standard Time=Asia/Yekaterinburg
    FLE Standard Time=Europe/Kiev
    Fiji Standard Time=Pacific/Fiji
    GMT Standard Time=Europe/London
    GTB Standard Time=Europe/Bucharest
    Georgian Standard Time=Asia/Tbilisi
    Greenland Standard Time=America/Godthab
    Greenwich Standard Time=Atlantic/Reykjavik
    Haiti Standard Time=America/Port-au-Prince
    Hawaiian Standard Time=Pacific/Honolulu
    India Standard Time=Asia/Calcutta
    Iran Standard Time=Asia/Tehran
    Israel Standard Time=Asia/Jerusalem
    Jordan Standard Time=Asia/Amman
    Kaliningrad Standard Time=Europe/Kaliningrad
    Korea Standard Time=Asia/Seoul
    Libya Standard Time=Africa/Tripoli
    Line Islands Standard Time=Pacific/Kiritimati
    Lord Howe Standard Time=Australia/Lord_Howe
    Magadan Standard Time=Asia/Magadan
    Magallanes Standard Time=America/Punta_Arenas
    Marquesas Standard Time=Pacific/Marquesas
    Mauritius Standard Time=Indian/Mauritius
    Middle East Standard Time=Asia/Beirut
    Montevideo Standard Time=America/Montevideo
    Morocco Standard Time=Africa/Casablanca
    Mountain Standard Time=America/Denver
    Mountain Standard Time (Mexico)=America/Chihuahua
    Myanmar Standard Time=Asia/Rangoon
    N. Central Asia Standard Time=Asia/Novosibirsk
    Namibia Standard Time=Africa/Windhoek
    Nepal Standard Time=Asia/Katmandu
    New Zealand Standard Time=Pacific/Auckland
    Newfoundland Standard Time=America/St_Johns
    Norfolk Standard Time=Pacific/Norfolk
    North Asia East Standard Time=Asia/Irkutsk
    North Asia Standard Time=Asia/Krasnoyarsk
    North Korea Standard Time=Asia/Pyongyang
    Omsk Standard Time=Asia/Omsk
    Pacific SA Standard Time=America/Santiago
    Pacific Standard Time=America/Los_Angeles
    Pacific Standard Time (Mexico)=America/Tijuana
    Pakistan Standard Time=Asia/Karachi
    Paraguay Standard Time=America/Asuncion
    Qyzylorda Standard Time=Asia/Qyzylorda
    Romance Standard Time=Europe/Paris
    Russia Time Zone 10=Asia/Srednekolymsk
    Russia Time Zone 11=Asia/Kamchatka
    Russia Time Zone 3=Europe/Samara
    Russian Standard Time=Europe/Moscow
    SA Eastern Standard Time=America/Cayenne
    SA Pacific Standard Time=America/Bogota
    SA Western Standard Time=America/La_Paz
    SE Asia Standard Time=Asia/Bangkok
    Saint Pierre Standard Time=America/Miquelon
    Sakhalin Standard Time=Asia/Sakhalin
    Samoa Standard Time=Pacific/Apia
    Sao Tome Standard Time=Africa/Sao_Tome
    Saratov Standard Time=Europe/Saratov
    Singapore Standard Time=Asia/Singapore
    South Africa Standard Time=Africa/Johannesburg
    South Sudan Standard Time=Africa/Juba
    Sri Lanka Standard Time=Asia/Colombo
    Sudan Standard Time=Africa/Khartoum
    Syria Standard Time=Asia/Damascus
    Taipei Standard Time=Asia/Taipei
    Tasmania Standard Time=Australia/Hobart
    Tocantins Standard Time=America/Araguaina
    Tokyo Standard Time=Asia/Tokyo
    Tomsk Standard Time=Asia/Tomsk
    Tonga Standard Time=Pacific/Tongatapu
    Transbaikal Standard Time=Asia/Chita
    Turkey Standard Time=Europe/Istanbul
    Turks And Caicos Standard Time=America/Grand_Turk
    US Eastern Standard Time=America/Indianapolis
    US Mountain Standard Time=America/Phoenix
    UTC=Etc/UTC
    UTC+12=Etc/GMT-12
    UTC+13=Etc/GMT-13
    UTC-02=Etc/GMT+2
    UTC-08=Etc/GMT+8
    UTC-09=Etc/GMT+9
    UTC-11=Etc/GMT+11
    Ulaanbaatar Standard Time=Asia/Ulaanbaatar
    Venezuela Standard Time=America/Caracas
    Vladivostok Standard Time=Asia/Vladivostok
    Volgograd Standard Time=Europe/Volgograd
    W. Australia Standard Time=Australia/Perth
    W. Central Africa Standard Time=Africa/Lagos
    W. Europe Standard Time=Europe/Berlin
    W. Mongolia Standard Time=Asia/Hovd
    West Asia Standard Time=Asia/Tashkent
    West Bank Standard Time=Asia/Hebron
    West Pacific Standard Time=Pacific/Port_Moresby
    Yakutsk Standard Time=Asia/Yakutsk
    Yukon Standard Time=America/Whitehorse
    """

  private static let more = """
    Africa/Abidjan Africa/Accra Africa/Addis_Ababa Africa/Algiers Africa/Asmera Africa/Bamako
    Africa/Bangui Africa/Banjul Africa/Bissau Africa/Blantyre Africa/Brazzaville Africa/Bujumbura
    Africa/Ceuta Africa/Conakry Africa/Dakar Africa/Dar_es_Salaam Africa/Djibouti Africa/Douala
    Africa/El_Aaiun Africa/Freetown Africa/Gaborone Africa/Harare Africa/Kampala Africa/Kigali
    Africa/Kinshasa Africa/Libreville Africa/Lome Africa/Luanda Africa/Lubumbashi Africa/Lusaka
    Africa/Malabo Africa/Maputo Africa/Maseru Africa/Mbabane Africa/Mogadishu Africa/Monrovia
    Africa/Ndjamena Africa/Niamey Africa/Nouakchott Africa/Ouagadougou Africa/Porto-Novo
    Africa/Tunis America/Anguilla America/Antigua America/Argentina/La_Rioja
    America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan
    America/Argentina/San_Luis America/Argentina/Tucuman America/Argentina/Ushuaia America/Aruba
    America/Bahia_Banderas America/Barbados America/Belem America/Belize America/Blanc-Sablon
    America/Boa_Vista America/Boise America/Cambridge_Bay America/Campo_Grande America/Catamarca
    America/Cayman America/Coral_Harbour America/Cordoba America/Costa_Rica America/Creston
    America/Curacao America/Danmarkshavn America/Dawson America/Dawson_Creek America/Detroit
    America/Dominica America/Edmonton America/Eirunepe America/El_Salvador America/Fort_Nelson
    America/Fortaleza America/Glace_Bay America/Goose_Bay America/Grenada America/Guadeloupe
    America/Guayaquil America/Guyana America/Hermosillo America/Indiana/Knox
    America/Indiana/Marengo America/Indiana/Petersburg America/Indiana/Tell_City
    America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Inuvik
    America/Iqaluit America/Jamaica America/Jujuy America/Juneau America/Kentucky/Monticello
    America/Kralendijk America/Lima America/Louisville America/Lower_Princes America/Maceio
    America/Managua America/Manaus America/Marigot America/Martinique America/Matamoros
    America/Mazatlan America/Mendoza America/Menominee America/Merida America/Metlakatla
    America/Moncton America/Monterrey America/Montreal America/Montserrat America/Nassau
    America/Nipigon America/Nome America/Noronha America/North_Dakota/Beulah
    America/North_Dakota/Center America/North_Dakota/New_Salem America/Ojinaga America/Panama
    America/Pangnirtung America/Paramaribo America/Port_of_Spain America/Porto_Velho
    America/Puerto_Rico America/Rainy_River America/Rankin_Inlet America/Recife America/Resolute
    America/Rio_Branco America/Santa_Isabel America/Santarem America/Santo_Domingo
    America/Scoresbysund America/Sitka America/St_Barthelemy America/St_Kitts America/St_Lucia
    America/St_Thomas America/St_Vincent America/Swift_Current America/Tegucigalpa America/Thule
    America/Thunder_Bay America/Toronto America/Tortola America/Vancouver America/Winnipeg
    America/Yakutat America/Yellowknife Antarctica/Casey Antarctica/Davis
    Antarctica/DumontDUrville Antarctica/Macquarie Antarctica/Mawson Antarctica/McMurdo
    Antarctica/Palmer Antarctica/Rothera Antarctica/Syowa Antarctica/Vostok Arctic/Longyearbyen
    Asia/Aden Asia/Anadyr Asia/Aqtau Asia/Aqtobe Asia/Ashgabat Asia/Atyrau Asia/Bahrain
    Asia/Bishkek Asia/Brunei Asia/Choibalsan Asia/Dili Asia/Dushanbe Asia/Famagusta Asia/Gaza
    Asia/Hong_Kong Asia/Jakarta Asia/Jayapura Asia/Khandyga Asia/Kuala_Lumpur Asia/Kuching
    Asia/Kuwait Asia/Macau Asia/Makassar Asia/Manila Asia/Muscat Asia/Nicosia Asia/Novokuznetsk
    Asia/Oral Asia/Phnom_Penh Asia/Pontianak Asia/Qatar Asia/Qostanay Asia/Saigon Asia/Samarkand
    Asia/Thimphu Asia/Urumqi Asia/Ust-Nera Asia/Vientiane Atlantic/Bermuda Atlantic/Canary
    Atlantic/Faeroe Atlantic/Madeira Atlantic/South_Georgia Atlantic/St_Helena Atlantic/Stanley
    Australia/Broken_Hill Australia/Currie Australia/Lindeman Australia/Melbourne CST6CDT EST5EDT
    Etc/GMT Etc/GMT+1 Etc/GMT+10 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT-1
    Etc/GMT-10 Etc/GMT-11 Etc/GMT-14 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5 Etc/GMT-6 Etc/GMT-7
    Etc/GMT-8 Etc/GMT-9 Europe/Amsterdam Europe/Andorra Europe/Athens Europe/Belgrade
    Europe/Bratislava Europe/Brussels Europe/Busingen Europe/Copenhagen Europe/Dublin
    Europe/Gibraltar Europe/Guernsey Europe/Helsinki Europe/Isle_of_Man Europe/Jersey Europe/Kirov
    Europe/Lisbon Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Mariehamn
    Europe/Monaco Europe/Oslo Europe/Podgorica Europe/Prague Europe/Riga Europe/Rome
    Europe/San_Marino Europe/Sarajevo Europe/Simferopol Europe/Skopje Europe/Sofia
    Europe/Stockholm Europe/Tallinn Europe/Tirane Europe/Ulyanovsk Europe/Uzhgorod Europe/Vaduz
    Europe/Vatican Europe/Vienna Europe/Vilnius Europe/Zagreb Europe/Zaporozhye Europe/Zurich
    Indian/Antananarivo Indian/Chagos Indian/Christmas Indian/Cocos Indian/Comoro Indian/Kerguelen
    Indian/Mahe Indian/Maldives Indian/Mayotte Indian/Reunion MST7MDT PST8PDT Pacific/Efate
    Pacific/Enderbury Pacific/Fakaofo Pacific/Funafuti Pacific/Galapagos Pacific/Gambier
    Pacific/Guam Pacific/Johnston Pacific/Kosrae Pacific/Kwajalein Pacific/Majuro Pacific/Midway
    Pacific/Nauru Pacific/Niue Pacific/Noumea Pacific/Pago_Pago Pacific/Palau Pacific/Pitcairn
    Pacific/Ponape Pacific/Rarotonga Pacific/Saipan Pacific/Tahiti Pacific/Tarawa Pacific/Truk
    Pacific/Wake Pacific/Wallis
    """
}
