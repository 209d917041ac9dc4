import Alarms
import CivilTime

/// An enrolment of a person, and the withdrawal if the person withdrew.
struct Participation: Hashable, Sendable {
  let row: StudyRow
  private(set) var enrolment: Enrolment
  /// The instant of the withdrawal; nil if the person did not withdraw.
  private(set) var withdrawn: Instant?
  private(set) var reason = ""
  private(set) var code: WithdrawalCode?
  private(set) var dataUse: DataUse?
  var isUnblinded = false

  init(row: StudyRow, enrolment: Enrolment) {
    self.row = row
    self.enrolment = enrolment
  }

  /// Applies a withdrawal. If the enrolment has ended, the withdrawal changes only the permission
  /// to use the data. If a person forbade the use, no later event permits the use again.
  mutating func withdraw(at instant: Instant, _ why: Withdrawal) {
    if enrolment.isOpen(at: instant) {
      enrolment.to = max(enrolment.from, min(enrolment.to ?? instant, instant))
      enrolment.isWithdrawn = true
      (withdrawn, reason, code) = (instant, why.reason, why.code)
    }
    if dataUse != DataUse.none { dataUse = why.dataUse ?? dataUse }
  }
}

/// A row of participants.csv. The row contains an enrolment of a person, and says which data about
/// the person are not erased.
public struct ParticipantRow: Hashable, Sendable {
  let participation: Participation
  /// The row of the enrolment, with the zone of the person.
  let row: StudyRow
  let kept: String

  public var person: String? { row.person }
  public var study: String { participation.enrolment.study }

  /// The local date-time of the beginning, in seconds since 1970-01-01T00:00:00.
  public func localBeginSeconds(_ zones: ExportZones) -> Int64 {
    row.localSeconds(participation.enrolment.from, zones)
  }

  /// Writes the cells of the row.
  ///
  /// - Parameter hidden: a sequence number. The export shows the code of a participant only in rows
  ///   after this number. Reason: a rekey gives new pseudonyms. If the same code were in an export
  ///   from before the rekey and in an export from after it, the code would connect the old and the
  ///   new pseudonyms.
  public func write(
    to line: inout ExportEncoder, _ profile: ExportProfile, _ zones: ExportZones,
    hidden: Int64 = 0
  ) {
    let enrolment = participation.enrolment
    let isBlinded = enrolment.isBlinded && !participation.isUnblinded
    line.text(row.person)
    line.text(row.sequence > hidden ? Self.shown(enrolment.pseudonym, profile) : nil)
    line.text(enrolment.study)
    line.text(participation.isUnblinded ? enrolment.arm : enrolment.shownArm)
    line.instant(enrolment.from, in: row, zones)
    line.instant(enrolment.to, in: row, zones)
    line.bool(enrolment.isWithdrawn)
    line.instant(participation.withdrawn, in: row, zones)
    line.text(participation.reason.isEmpty ? nil : participation.reason)
    line.text(kept)
    line.integer(row.sequence)
    line.bool(isBlinded)
    line.text(enrolment.consent)
    line.text(participation.code?.rawValue)
    line.bool(enrolment.hidesPhases)
    line.text(Self.joined(enrolment.consentScope))
    line.text(participation.dataUse?.rawValue)
    line.text(isBlinded ? nil : enrolment.allocationSHA256)
  }

  /// The scope of a consent in one cell; nil if the enrolment contains no scope.
  private static func joined(_ scope: [ConsentScope]) -> String? {
    scope.isEmpty ? nil : scope.map(\.rawValue).joined(separator: "|")
  }

  /// The code of a participant; nil if an export with this profile must not show the code.
  private static func shown(_ code: String, _ profile: ExportProfile) -> String? {
    if code.isEmpty { return nil }
    return profile == .identified || ExportProfile.isPlainCode(code) ? code : nil
  }
}
