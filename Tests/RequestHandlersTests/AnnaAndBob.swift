import API
import Alarms
import Engine
import Fakes
import Synchronization
import Testing

extension ServedHome {
  /// Makes a home of Anna and Bob. Each of them has a task that has rung once and waits for an
  /// answer.
  ///
  /// - Parameter fields: a function that returns further fields for the alarm of a person. Each
  ///   field begins with a comma.
  static func ofAnnaAndBob(
    fields: (_ person: String) -> String = { _ in "" }
  ) async throws -> ServedHome {
    let home = await ServedHome()
    for person in ["anna", "bob"] {
      _ = try await home.ask(.addPerson, body: #"{"id":"\#(person)"}"#, role: .admin)
      let body = """
        {"label":"\(person)s task","schedule":"in 1 second","person":"\(person)"\(fields(person))}
        """
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    for _ in 0..<2 {
      let order = try #require(home.fakes.state.withLock { $0.played.last })
      await home.engine.handle(.started(order.prompt, ring: order.ring, device: "card0"))
      await home.engine.handle(
        .ended(
          order.prompt, ring: order.ring, device: "card0", frames: 480, xruns: 0, stopped: false))
    }
    return home
  }
}
