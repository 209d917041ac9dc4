import CivilTime
import Platform
import Testing

@Test func `a zone name cannot lead out of the directory`() {
  let zones = ZoneFiles(directory: "/usr/share/zoneinfo")
  #expect(zones.zone("Europe/Berlin")?.name == "Europe/Berlin")
  for name in ["", "../zoneinfo/UTC", "/UTC", "Europe//Berlin", "Europe", "tzdata.zi", "No/Where"] {
    #expect(zones.zone(name) == nil, "\(name)")
  }
}
