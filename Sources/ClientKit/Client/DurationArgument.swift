import ArgumentParser
import EventCoding
import JSONValue

/// A length of time such as `90s`, `10m` or `1h30m`.
package struct DurationArgument: Sendable {
  package let text: String

  package init(_ argument: String) throws {
    guard DurationText.seconds(argument) != nil else {
      throw ValidationError("a length of time has units, like 90s, 10m or 1h30m")
    }
    text = argument
  }

  package var json: JSON { .string(text) }

  /// How long it is.
  package var seconds: Int64? { DurationText.seconds(text) }
}
