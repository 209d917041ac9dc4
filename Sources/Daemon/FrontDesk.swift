import Alarms
import CivilTime
import Wire

/// Turns a request into a command for the hallway or a question to the archive, and what comes back
/// into a response.
public struct FrontDesk: Sendable {
  let hallway: Hallway
  let archive: Archive
  let ports: Ports
  let newAlarmID: @Sendable () -> AlarmID
  let version: String
  let machine: @Sendable ([Tone]) -> MachineReport

  /// - Parameters:
  ///   - newAlarmID: makes a name that was never used.
  ///   - machine: looks at the machine, and for the recordings of these tones.
  public init(
    hallway: Hallway, archive: Archive, ports: Ports, version: String,
    newAlarmID: @escaping @Sendable () -> AlarmID,
    machine: @escaping @Sendable ([Tone]) -> MachineReport
  ) {
    self.hallway = hallway
    self.archive = archive
    self.ports = ports
    self.version = version
    self.newAlarmID = newAlarmID
    self.machine = machine
  }

  /// Answers one request. Never throws: what goes wrong becomes a problem document.
  public func answer(_ request: WireRequest) async -> WireResponse {
    do {
      return try await respond(request)
    } catch let refusal as Refusal {
      return .problem(refusal)
    } catch {
      ports.log(LogLine(.error, "cannot answer \(request.operation.rawValue): \(error)"))
      return .problem(Refusal(.storage, "cannot read the record: \(error)"))
    }
  }

  /// One block a resource, in the order of the table; what a resource does is in a file of its own.
  private func respond(_ request: WireRequest) async throws -> WireResponse {
    switch request.operation {
    // /v1/status, /v1/openapi.json
    case .status: .json(await status(for: request.actor))
    case .openAPI: .json(OpenAPI.document)

    // /v1/alarms, /v1/agenda
    case .listAlarms: .json(await alarms())
    case .addAlarm: try await addAlarm(request)
    case .showAlarm: try await showAlarm(request)
    case .editAlarm: try await editAlarm(request)
    case .removeAlarm: try await removeAlarm(request)
    case .preview: try await preview(request)
    case .agenda: .json(await agenda(limit: try request.integer("limit", in: 1...1_000) ?? 20))

    // /v1/prompts
    case .listPrompts: try prompts(request)
    case .showPrompt: try showPrompt(request)
    case .acknowledge, .complete, .delay, .decline, .cancel: try await takeAnswer(request)

    // /v1/tones
    case .listTones: .json(await tones())
    case .addTone: try await addTone(request)
    case .removeTone: try await removeTone(request)

    // /v1/log, /v1/export, /v1/verify
    case .log: try log(request)
    case .export: try await export(request)
    case .verify: .json(try archive.verify())
    }
  }
}
