import Alarms
import JSONValue

/// The API reference for human readers (`docs/reference/API.md`), generated from the table of
/// routes.
public enum APIPage {
  /// The text of the whole page, in Markdown.
  public static var text: String {
    var page = preface
    page += "## All requests\n\n| Request | Roles | What it does |\n|---|---|---|\n"
    for route in Route.all {
      page += "| [`\(route.method.rawValue) \(route.path)`](#\(anchor(route))) "
      page += "| \(roles(route)) | \(route.summary) |\n"
    }
    for route in Route.all { page += section(route) }
    return page + texts + errors
  }

  private static func roles(_ route: Route) -> String {
    Route.ordered(route.roles).map(\.rawValue).joined(separator: ", ")
  }

  /// The text after `#` in a link to the heading of a route. GitHub and most other programs that
  /// show Markdown compute this text from the heading.
  private static func anchor(_ route: Route) -> String { route.operation.rawValue.lowercased() }

  private static func section(_ route: Route) -> String {
    var text = "\n## \(route.operation.rawValue)\n\n`\(route.method.rawValue) \(route.path)` · "
    text += "\(roles(route))\n\n\(route.summary)\n"
    let named = route.named.filter { !$0.summary.isEmpty }
    if !(named + route.query + route.headers).isEmpty {
      text += "\n| Parameter | Type | Meaning |\n|---|---|---|\n"
      for parameter in named { text += row(parameter, in: "path") }
      for parameter in route.query { text += row(parameter, in: "query") }
      for parameter in route.headers { text += row(parameter, in: "header") }
    }
    if let takes = route.takes {
      text += "\nRequest body: \(words(takes)), at most \(route.bodyLimit / 1024) KiB.\n"
      text += table(takes)
    }
    text += "\nResponse: \(route.status), \(words(route.answers)).\n" + table(route.answers)
    return text
  }

  private static func row(_ parameter: Parameter, in place: String) -> String {
    "| `\(parameter.name)` (\(place)) | \(words(parameter.shape)) | \(parameter.summary) |\n"
  }

  private static func words(_ content: Content) -> String {
    switch content {
    case .json(.named(let name, _)): "JSON: \(name)"
    case .json(let shape): "JSON: \(words(shape))"
    case .bytes(let types): types.map { "`\($0)`" }.joined(separator: ", ")
    case .lines: "one JSON document per line"
    case .events: "server-sent events"
    }
  }

  private static func table(_ content: Content) -> String {
    let fields = content.shape?.fields ?? []
    if fields.isEmpty { return "" }
    return "\n| Field | Type | Meaning |\n|---|---|---|\n"
      + fields.map { field in
        "| `\(field.name)`\(field.isRequired ? "" : " (optional)") | \(words(field.shape)) "
          + "| \(field.summary) |\n"
      }.joined()
  }

  private static func words(_ shape: JSONSchema) -> String {
    switch shape {
    case .text: "text"
    case .format(let words): words
    case .word(let list): "one of " + list.map { "`\($0)`" }.joined(separator: ", ")
    case .integer(nil): "whole number"
    case .integer(let range?):
      range.upperBound == .max
        ? "whole number from \(range.lowerBound)"
        : "whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number: "number"
    case .flag: "true or false"
    case .list(.object(let fields)): "list of objects with " + names(of: fields)
    case .list(let item): "list of \(words(item))"
    case .object(let fields): "object with " + names(of: fields)
    case .map(let value): "object with \(words(value)) for each name"
    case .optional(let shape): "\(words(shape)), or null"
    case .named(let name, _): name
    case .any: "any JSON"
    }
  }

  private static func names(of fields: [JSONSchema.Field]) -> String {
    fields.map { "`\($0.name)`" }.joined(separator: ", ")
  }

  private static let preface = """
    # The API

    The daemon of a home serves HTTP/1.1 and JSON on a Unix socket, by default
    `/run/prompter/control.sock`:

        curl --unix-socket /run/prompter/control.sock http://localhost/v1/status

    The kernel identifies the user who sends a request, and the configuration gives this user a role. To a user
    without a role, the daemon always replies with 403. This page, the OpenAPI 3.1 document (`/v1/openapi.json`,
    and the file `openapi.json` in the directory of this page) and the router of the daemon use the same table.

    - Instants have the form of RFC 3339, in UTC, with milliseconds. Durations have the form `90s`, `10m` or `1h30m`.
    - The daemon refuses an unknown field and a field that occurs twice. The error names the field.
    - Send an `Idempotency-Key` with a change, so that you can safely send the request again. If you send the same
      request again with the same key, you get the same response, and nothing changes. If you send a different
      request with the same key, the daemon refuses this request (409, `key_reused`). The daemon keeps a key for 7
      days. If there are more than 2,000 keys of one user or more than 10,000 keys of all users, the daemon deletes
      the oldest keys earlier. An erasure deletes all keys, because a stored response may contain erased texts.
    - If an object has versions, the response contains the version in the header `ETag`. To change the object, send
      this value in the header `If-Match`. If your version is not the current version, you get 412 with the current
      `version`, and nothing changes. So nobody overwrites the change of another user.
    - The daemon refuses a text that breaks the rules under "Texts".
    - The daemon sends long lists in pages. If there is a next page, the response contains the start of the next page.
    - The meaning of a field never changes. New fields may be added; ignore unknown ones.

    ## Connection limits

    | Limit | Value |
    |---|---|
    | Connections of one user | 8 |
    | Connections of all users | 64, and 8 more for admins |
    | First connection of each user who can answer a prompt, if all 64 are in use | 16 more |
    | Connections that accept one answer each, if no other connection is free | 32 more, 2 for each user |
    | Connections of all users without a role | 8 of the 64 |
    | Head of a request | 16 KiB, within 5 s |
    | Body of a request | 64 KiB unless stated otherwise; after 5 s, at least 8 KiB/s on average |
    | Pause in a body | 10 s |
    | Uploads of one user at the same time | 12 MiB; the first 64 KiB of each upload do not count |
    | Uploads of all users at the same time | 32 MiB; the first 64 KiB of each upload do not count |
    | Idle time between two requests | 60 s |
    | Speed at which the client reads a response | at least 64 KiB in 5 s |

    Patients, caretakers and admins can answer a prompt. If no other connection is free, a patient, caretaker or
    admin still gets a connection for one request. On this connection, the daemon accepts only these requests: to
    list prompts, to read one prompt or its responses, or to answer (`acknowledge`, `complete`, `delay`, `decline`,
    `cancel`, `undo`, `responses`). The daemon refuses any other request on this connection with 429 or 503, and
    `Retry-After`. The daemon always accepts the first 64 KiB of a body, so uploads never block other requests.


    """

  private static var texts: String {
    """

    ## Texts

    The length of a text is counted in Unicode scalars and in bytes of UTF-8. A letter with two separate accents
    counts as three characters. If a text breaks a rule, the daemon refuses the request with 422. The error names the
    `field`. The error also names either the limit and the length of the text, or the character that is not allowed.

    | Text | Lines | Characters | Maximum bytes |
    |---|---|---|---|
    | `label` of an alarm, `text` of an announcement | one | \(limits(AlarmRules.label)) |
    | `instructions` | several | \(limits(AlarmRules.instructions)) |
    | `schedule`; tabs and CR count as spaces | several | \(limits(AlarmRules.schedule)) |
    | `name` of a person | one | \(limits(AlarmRules.name)) |
    | `text` of a question | one | \(limits(AlarmRules.question)) |
    | `text` of a choice | one | \(limits(AlarmRules.choice)) |
    | response to a question of kind `text` | several | \(limits(AlarmRules.answer)) |
    | `reason` of a withdrawal | several | \(limits(AlarmRules.withdrawal)) |
    | `note` of a diary entry | several | \(limits(DiaryEntry.noteRule)) |

    - Lines are separated by line feeds (U+000A). All other line breaks and control characters are refused,
      including tabs. In a diary file, the lines of a note may end with CR and LF.
    - These characters are refused: unassigned characters, private-use characters, noncharacters, and
      invisible characters. The invisible characters are zero-width characters, bidirectional controls
      (U+202A to U+202E, U+2066 to U+2069, U+200E, U+200F, U+061C), fillers such as U+3164, soft hyphens,
      tags, and characters that join to the next character, such as U+0600.
    - U+200C and U+200D are accepted between letters of Hebrew, of Arabic, and of the scripts that come after these
      two in Unicode. U+200D is also accepted between emoji. Variation selectors are accepted after emoji, ideographs
      and Mongolian letters.
    - A text of one line, or a text that must not be empty, needs at least one visible character. A text must
      not begin with a combining mark, and must not have more than \(TextRule.marksInARow) combining marks in a row.
    - The `id` of a new person is 1 to 64 ASCII letters, digits, dots, dashes and underscores, and begins
      with a letter or a digit. The daemon refuses an id (409) that differs from the id of another person only in
      upper and lower case or in similar characters, such as `0` and `o`. The rule includes the ids of removed people.
    - The name of a tone is 1 to 64 ASCII letters, digits, dots, dashes and underscores, and does not begin
      with a dot. Names of questions and choices are 1 to 32 lower-case letters, digits and underscores. Codes
      of a study are 1 to 64 ASCII letters, digits, dots, dashes and underscores.
    - The rules apply only to new input. Texts that were recorded earlier stay unchanged and can be read.

    """
  }

  private static func limits(_ rule: TextRule) -> String {
    "\(rule.length.lowerBound) to \(rule.length.upperBound) | \(rule.bytes)"
  }

  private static var errors: String {
    var text = """

      ## Errors

      Each error is an RFC 9457 problem document, `application/problem+json`. The meaning of a
      `kind` never changes. `detail` is a sentence for the user. `field` names the field that has the fault.

      | Kind | Status | Meaning |
      |---|---|---|

      """
    for kind in Refusal.Kind.allCases {
      text += "| `\(kind.rawValue)` | \(kind.status) | \(kind.title) |\n"
    }
    return text + limits
  }

  private static let limits = """

    ## Storage limits

    The daemon refuses a request that exceeds a limit (429, `limit`), and stores nothing of this request. The
    configuration can change the limits of alarms, recordings and pictures (`[limits]`). "All users" is the
    limit for the whole home. If all users together have reached this limit, each user can still add data until
    the user has one sixteenth of the limit. So one user cannot use up the share of another user. The data of all
    users together never exceed five quarters of the limit.

    | Data | All users | One user |
    |---|---|---|
    | alarms, by the user who created them | 5,000 | 5,000 |
    | texts and lists of all alarms (not configurable) | 32 MiB | 32 MiB |
    | recordings, by the user who last added them | 500, 500 MiB | 250, 250 MiB |
    | pictures, by the user who uploaded them | 1,000, 500 MiB | 500, 250 MiB |
    | stored responses to requests with an `Idempotency-Key`, for 7 days | 10,000 | 2,000 |
    | responses to one question of one prompt, including corrections | 20 | 20 |
    | answers "on my way" to one prompt | 20 | 20 |
    | undone answers to one prompt | 20 | 20 |
    | downloads of a person's own data, in one hour | | 20 |

    There is no limit for `complete`, `delay` and `decline`, because these answers stop a ring.

    The daemon keeps 64 MiB of the disk free for the record. If an upload would use a part of this space, the daemon
    refuses the upload (503, `storage_failed`). In addition, a reserve file occupies 16 MiB. If the disk is full, the
    daemon deletes the reserve file, refuses uploads and changes by caretakers, and still records answers.

    ## A patient who is tied to a person

    The configuration can restrict a user with the role `patient` to the data of one person (`[patients]`). In each
    response and in the event stream, this user gets only the data of this person:

    - For a prompt, picture, recording or person that belongs to somebody else, the response is the same as for
      an object that does not exist (404). The daemon refuses `?person=` with any other name (403), even if
      nobody has this name.
    - The user sees the recordings that the person's alarms use, and the person's default recording. The user
      sees the pictures that the person's alarms show, the photos of the person's completed tasks, and the
      pictures that this user uploaded and did not yet add to a completed task.
    - `status` counts the alarms and prompts of the person, and lists the problems of the home and of the
      person. The response has no `record.events` and no `record.head`. The event stream does not contain the events
      of other people, so some sequence numbers are missing. The stream does not show the length of the record.
    - The user can add only photos that this user uploaded. Nobody can use the picture of an alarm as the
      photo of a completed task (409).

    """
}
