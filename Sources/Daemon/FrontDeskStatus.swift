import Alarms
import CivilTime
import Wire

/// `/v1/status`.
extension FrontDesk {
  func status() async -> JSON {
    let moment = ports.now()
    let surroundings = ports.surroundings()
    let head = archive.head()
    return await hallway.look { home, isRecordWritable in
      JSON.status(
        home, isRecordWritable: isRecordWritable, moment: moment, surroundings: surroundings,
        head: head, version: version)
    }
  }
}
