import ArgumentParser
import EventCoding
import JSONValue

/// A duration such as `90s`, `10m` or `1h30m`.
package struct DurationArgument: Sendable {
  package let text: String

  package init(_ argument: String) throws {
    guard DurationText.seconds(argument) != nil else {
      throw ValidationError("a duration needs units, such as 90s, 10m or 1h30m")
    }
    text = argument
  }

  package var json: JSON { .string(text) }

  /// The duration in seconds; nil if the text is not a duration.
  package var seconds: Int64? { DurationText.seconds(text) }
}
