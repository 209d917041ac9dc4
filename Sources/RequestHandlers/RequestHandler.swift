import API
import Alarms
import CivilTime
import Engine

/// Handles API requests.
///
/// The handler turns a request into a command for the engine or into a query of the record. Then
/// the handler turns the result of the command or query into a response.
public struct RequestHandler: Sendable {
  let engine: EngineActor
  let archive: Archive
  let sound: SoundActions
  let recordings: RecordingActions
  let pictures: ImageActions
  let ports: Ports
  let newAlarmID: @Sendable () -> AlarmID
  let version: String
  let machine: @Sendable ([Tone]) -> MachineReport
  /// Returns the name of the user whose actor id is the argument, for example `uid:1000`; nil if
  /// the name is not known.
  let userName: @Sendable (_ actor: String) -> String?
  let callerStats = CallerStats()
  let inFlight = InFlight()
  let againRate = Rate(most: Route.againPerHour, windowSeconds: 3_600)
  let callRate = Rate(most: RequestHandler.callsPerHour, windowSeconds: 3_600)
  let ownDataRate = Rate(most: RequestHandler.ownDataPerHour, windowSeconds: 3_600)

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - newAlarmID: a function that returns an id that was never used.
  ///   - machine: a function that returns a report about the machine. The function also checks the
  ///     recordings of the tones in its argument.
  ///   - userName: a function that returns the name of a user. The argument of the function is the
  ///     actor id of the user. The result is nil if the name is not known.
  public init(
    engine: EngineActor, archive: Archive, sound: SoundActions, recordings: RecordingActions,
    pictures: ImageActions, ports: Ports, version: String,
    newAlarmID: @escaping @Sendable () -> AlarmID,
    machine: @escaping @Sendable ([Tone]) -> MachineReport,
    userName: @escaping @Sendable (_ actor: String) -> String?
  ) {
    self.engine = engine
    self.archive = archive
    self.sound = sound
    self.recordings = recordings
    self.pictures = pictures
    self.ports = ports
    self.version = version
    self.newAlarmID = newAlarmID
    self.machine = machine
    self.userName = userName
  }

  /// Handles one request. The method never throws, because it turns each error into a problem
  /// document.
  public func answer(_ request: APIRequest) async -> APIResponse {
    callerStats.saw(request.actor, at: ports.now().wall)
    let response = await withoutPhaseNames(await answerOrRefuse(request), request)
    callerStats.count(request.operation, response.status)
    return response
  }

  private func answerOrRefuse(_ request: APIRequest) async -> APIResponse {
    do {
      if request.isChange, let key = try request.idempotencyKey() {
        return try await once(key, request)
      }
      return try await respond(await withKnownNames(request))
    } catch let refusal as Refusal {
      return .problem(refusal)
    } catch {
      ports.log(LogLine(.error, "cannot answer \(request.operation.rawValue): \(error)"))
      return .problem(Refusal(.storage, "cannot read the record: \(error)"))
    }
  }

  /// Calls the handler of the operation. The cases are in the order of the table of routes, grouped
  /// by resource. The handlers of each resource are in a separate file.
  func respond(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    // /v1/status, /v1/openapi.json, /v1/metrics, /v1/progress, /v1/events
    case .status: .json(try await status(for: request))
    case .openAPI: .json(OpenAPI.document)
    case .metrics: try await metrics()
    case .progress, .day, .summary: try await days(request)
    case .events: try events(request)

    // /v1/speaker, /v1/say
    case .showSpeaker, .checkSpeaker, .testRing, .setLevel, .say: try await speaker(request)

    // /v1/alarms, /v1/agenda
    case .listAlarms, .addAlarm, .showAlarm, .editAlarm, .removeAlarm, .alarmVersions, .preview,
      .agenda:
      try await alarm(request)
    case .whyAlarm, .whyPrompt: try await why(request)

    // /v1/prompts
    case .listPrompts: try await prompts(request)
    case .showPrompt: try await showPrompt(request)
    case .acknowledge, .complete, .delay, .decline, .cancel: try await takeAnswer(request)
    case .present: try await present(request)
    case .sayAgain: try await sayAgain(request)
    case .undo: try await undo(request)

    // /v1/tones
    case .listTones, .addTone, .removeTone, .renameTone, .playTone, .toneSound:
      try await tone(request)

    // /v1/images
    case .listImages, .addImage, .showImage, .showThumbnail, .removeImage:
      try await images(request)

    // /v1/holidays
    case .listHolidays, .showHolidays, .importHolidays, .removeHolidays:
      try await holidays(request)

    // /v1/people
    case .listPeople, .addPerson, .showPerson, .changePerson, .removePerson, .pausePerson,
      .resumePerson, .pauseEverybody, .resumeEverybody, .ownData:
      try await people(request)

    // /v1/contacts, /v1/calls, /v1/messages
    case .listContacts, .testContact, .call, .listMessages: try await contacts(request)

    // /v1/supplies
    case .listSupplies, .addSupply, .changeSupply, .removeSupply, .refillSupply, .countSupply:
      try await supplies(request)

    // /v1/study
    case .listResponses, .respond, .listPhases, .setPhase, .endPhase, .listParticipants, .enrol,
      .withdraw, .crossover, .series, .erase, .rekey, .unblind, .noteStudy, .importDiary:
      try await study(request)

    // /v1/log, /v1/export, /v1/verify, /v1/backup
    case .log, .export, .verify, .backup, .retire, .planPurge, .archive, .purge:
      try await record(request)
    }
  }
}
