import Alarms
import JSONValue

/// The API reference for people, `docs/reference/API.md`, made from the table of routes.
public enum APIPage {
  /// The whole page.
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

  /// The anchor that GitHub and most other renderers make from a heading.
  private static func anchor(_ route: Route) -> String { route.operation.rawValue.lowercased() }

  private static func section(_ route: Route) -> String {
    var text = "\n## \(route.operation.rawValue)\n\n`\(route.method.rawValue) \(route.path)` · "
    text += "\(roles(route))\n\n\(route.summary)\n"
    let named = route.named.filter { !$0.summary.isEmpty }
    if !(named + route.query + route.headers).isEmpty {
      text += "\n| Parameter | | |\n|---|---|---|\n"
      for parameter in named { text += row(parameter, in: "path") }
      for parameter in route.query { text += row(parameter, in: "query") }
      for parameter in route.headers { text += row(parameter, in: "header") }
    }
    if let takes = route.takes {
      text += "\nTakes \(words(takes)), at most \(route.bodyLimit / 1024) KiB.\n"
      text += table(takes)
    }
    text += "\nAnswers \(route.status) with \(words(route.answers)).\n" + table(route.answers)
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
    case .lines: "one JSON document a line"
    case .events: "server-sent events"
    }
  }

  private static func table(_ content: Content) -> String {
    let fields = content.shape?.fields ?? []
    if fields.isEmpty { return "" }
    return "\n| Member | | |\n|---|---|---|\n"
      + fields.map { field in
        "| `\(field.name)`\(field.isRequired ? "" : " (may be absent)") | \(words(field.shape)) "
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
    case .list(let item): "list of \(words(item))"
    case .object(let fields): "object of " + fields.map { "`\($0.name)`" }.joined(separator: ", ")
    case .map(let value): "object of \(words(value)) by name"
    case .optional(let shape): "\(words(shape)), or null"
    case .named(let name, _): name
    case .any: "any JSON"
    }
  }

  private static let preface = """
    # The API

    HTTP/1.1 and JSON on the Unix socket of one home, by default `/run/prompter/control.sock`:

        curl --unix-socket /run/prompter/control.sock http://localhost/v1/status

    The kernel says who calls, and the settings say which role that user has; a stranger gets 403 and
    nothing else. This page is made of the same table as the daemon's router, and so is the OpenAPI 3.1
    document, at `/v1/openapi.json` and beside this page.

    - Instants are RFC 3339 in UTC with milliseconds; lengths of time are written `90s`, `10m`, `1h30m`.
    - A field that is not known is refused by its name, and so is one that is named twice.
    - Send an `Idempotency-Key` with a change, and sending it again is harmless: the same key with the
      same request gets the same answer and changes nothing; with another request it is refused
      (409, `key_reused`). A key is kept for a day, at least, unless its
      user sends 2,000 others meanwhile;
      an erasure forgets all keys, for an answer that is kept may hold what is erased.
    - Send the `ETag` that you have seen as `If-Match`, and nobody's change is lost: where the version
      is another by now, you get 412 with the `version` that is, and nothing has changed.
    - A text is refused where it breaks the rules under "Texts" below.
    - Lists come in pages. Where there is more, the answer says where the next page begins.
    - Names of members do not change their meaning. New ones may come: take no offence at them.

    ## Limits

    | What | Limit |
    |---|---|
    | Connections of one user | 8 |
    | Connections of all users | 64, and 8 more for admins |
    | First connection of a user who can answer a prompt | 16 more |
    | Connections for one answer each, when no other place is free | 32 more, 2 for each user |
    | Connections of all users without a role | 8 of the 64 |
    | Head of a request | 16 KiB, within 5 s |
    | Body of a request | 64 KiB unless the request says otherwise, at 8 KiB/s on average after 5 s |
    | Pause in a body | 10 s |
    | Uploads of one user at a time | 12 MiB beyond the first 64 KiB of each |
    | Uploads of all users at a time | 32 MiB beyond the first 64 KiB of each |
    | Rest between two requests | 60 s |
    | Reading an answer | 64 KiB in 5 s |

    A user who can answer a prompt is a patient, a caretaker or an admin. If no other place is free, such a
    user still gets a connection for one request: a list of prompts, one prompt, its responses, or an answer
    (`acknowledge`, `complete`, `delay`, `decline`, `cancel`, `undo`, `responses`). Any other request on that
    connection is refused with 429 or 503, and `Retry-After`. The first 64 KiB of each body always have room,
    so uploads never keep another request out.


    """

  private static var texts: String {
    """

    ## Texts

    Lengths count Unicode scalars (a letter with two accents written apart counts as three characters) and
    bytes of UTF-8. A text that is refused is answered with 422, the `field`, the limit and how long the text
    is, or the character that is at fault.

    | Text | Lines | Characters | Bytes at most |
    |---|---|---|---|
    | `label` of an alarm, `text` of something said | one | \(limits(AlarmRules.label)) |
    | `instructions` | several | \(limits(AlarmRules.instructions)) |
    | `schedule`; tabs and CR are blanks in it | several | \(limits(AlarmRules.schedule)) |
    | `name` of a person | one | \(limits(AlarmRules.name)) |
    | `text` of a question | one | \(limits(AlarmRules.question)) |
    | `text` of a choice | one | \(limits(AlarmRules.choice)) |
    | an answer to a question of kind `text` | several | \(limits(AlarmRules.answer)) |
    | `reason` of a withdrawal | several | \(limits(AlarmRules.withdrawal)) |
    | `note` of a diary entry | several | \(limits(DiaryEntry.noteRule)) |

    - Several lines are parted by line feeds (U+000A). Every other line break and control character is
      refused, tabs too. A diary file may end the lines of a note with CR and LF.
    - Refused are characters that are not assigned, for private use or no characters, and those that cannot
      be seen: zero-width characters, bidirectional controls (U+202A to U+202E, U+2066 to U+2069, U+200E,
      U+200F, U+061C), fillers such as U+3164, soft hyphens, tags, and signs that join to what follows
      them, such as U+0600.
    - U+200C and U+200D are taken between letters of Hebrew, Arabic and the scripts after them, and U+200D
      between emoji. Variation selectors are taken behind emoji, ideographs and Mongolian letters.
    - A text of one line, and one that must not be empty, needs a character that can be seen. No text
      begins with a combining mark or has more than \(TextRule.marksInARow) of them in a row.
    - The `id` of a new person is 1 to 64 ASCII letters, digits, dots, dashes and underscores, and begins
      with a letter or a digit. It is refused (409) where it differs from somebody else's id only by case
      or by letters that look alike, such as `0` and `o`; also from that of somebody who was removed.
    - The name of a tone is 1 to 64 ASCII letters, digits, dots, dashes and underscores. Names of questions
      and choices are 1 to 32 small letters, digits and underscores. Codes of a study are 1 to 64 ASCII
      letters, digits, dots, dashes and underscores.
    - What was recorded before these rules stays as it is and can be read; the rules are for what comes in.

    """
  }

  private static func limits(_ rule: TextRule) -> String {
    "\(rule.length.lowerBound) to \(rule.length.upperBound) | \(rule.bytes)"
  }

  private static var errors: String {
    var text = """

      ## Errors

      Each is an RFC 9457 problem document, `application/problem+json`, with a `kind` that stays the same
      and a `detail` for a person; `field` names what was at fault.

      | Kind | Status | Meaning |
      |---|---|---|

      """
    for kind in Refusal.Kind.allCases {
      text += "| `\(kind.rawValue)` | \(kind.status) | \(kind.title) |\n"
    }
    return text + limits
  }

  private static let limits = """

    ## Limits

    What passes a limit is refused (429, `limit`) before anything of it is stored. The configuration can set
    other numbers for the first four (`[limits]`). "All users" is the limit for the whole home. If all
    users together have reached it, a user who holds less than a sixteenth of it can still add up to a
    sixteenth, so that one user cannot use up what another one needs. All of it never passes five quarters
    of the limit.

    | What | All users | One user |
    |---|---|---|
    | alarms, by who created them | 5,000 | 5,000 |
    | texts and lists of all alarms (not configurable) | 32 MiB | 32 MiB |
    | recordings, by who last added them | 500, 500 MiB | 250, 250 MiB |
    | pictures, by who uploaded them | 1,000, 500 MiB | 500, 250 MiB |
    | kept answers to requests with an `Idempotency-Key`, for 7 days | 10,000 | 2,000 |
    | answers to one question of one prompt, corrections included | 20 | 20 |
    | "on my way" to one prompt | 20 | 20 |
    | answers to one prompt that are taken back | 20 | 20 |
    | downloads of a person's own data, each hour | | 20 |

    `complete`, `delay` and `decline` have no such limit: they stop a ring. An upload is refused (503,
    `storage_failed`), too, if it would leave less than 64 MiB of the disk, which are kept for the record.

    ## A patient who is tied to a person

    The configuration can tie a patient's user to a person (`[patients]`). Such a user gets what belongs to
    that person, from every request and from the stream of events, and nothing of other people:

    - A prompt, picture, recording or person of somebody else answers like one that does not exist (404).
      `?person=` with another name than one's own is refused (403), whether somebody has that name or not.
    - Recordings are those that the person's alarms use, and the person's default. Pictures are those that
      the person's alarms show, those that show tasks of the person done, and those that the same user
      uploaded and nobody has used yet.
    - `status` counts the person's alarms and prompts, and names the problems of the home and of that
      person. It has no `record.events` and no `record.head`. The stream has the numbers of the person's
      own events, with holes where other events are, and does not say how long the record is.
    - A photo that shows a task done must be one that the same user uploaded. The picture that an alarm
      shows is refused as a photo for everybody (409).

    """
}
