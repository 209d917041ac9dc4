import API
import Alarms
import CivilTime
import Engine
import JSONValue

/// The handler of `/v1/status`.
extension RequestHandler {
  func status(for request: APIRequest) async throws -> JSON {
    let asker = request.actor
    let reading = ports.now()
    let environment = ports.environment()
    let head = archive.head()
    if callerStats.mustLookBack { callerStats.lookedBack(try archive.lastAnswer()) }
    let machine = machine(
      await engine.read { home, _ in home.tones.values.sorted { $0.name < $1.name } })
    let document = await engine.read { home, isRecordWritable in
      JSON.status(
        home, isRecordWritable: isRecordWritable, reading: reading, environment: environment,
        head: head, version: version, machine: machine, asker: asker,
        askerName: userName(asker.id), roles: request.roles,
        only: request.only,
        callerStats: asker.role == .caretaker || asker.role == .admin ? callerStats : nil)
    }
    return asker.role == .courier ? document.withoutWords : document
  }
}
