import Alarms
import JSONValue

/// The API reference for human readers (`docs/reference/API.md`). It is generated from the table of
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

  /// The text after `#` in a link to the heading of a route. GitHub and most programs that show
  /// Markdown compute the same text from the heading.
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
      text += "\nRequest body: \(requestBody(takes, limit: route.bodyLimit)).\n"
      text += table(takes)
    }
    text += "\nResponse: \(route.status), \(words(route.answers)).\n" + table(route.answers)
    return text
  }

  private static func row(_ parameter: Parameter, in place: String) -> String {
    "| `\(parameter.name)` (\(place)) | \(words(parameter.shape)) | \(parameter.summary) |\n"
  }

  private static func requestBody(_ content: Content, limit: Int) -> String {
    if content == .json(.nothing) { return "none, or the empty JSON object `{}`" }
    return "\(words(content)), at most \(limit / 1024) KiB"
  }

  private static func words(_ content: Content) -> String {
    switch content {
    case .json(.named(let name, _)): "JSON object `\(name)`"
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

    The kernel identifies the user who sends a request, and the configuration gives this user a
    role. If a user has no role, the daemon always replies with 403.

    The source code of the daemon contains one table of all requests. The daemon uses this table to
    handle requests. This page and the OpenAPI 3.1 document are generated from this table. You get
    the OpenAPI document with `GET /v1/openapi.json`. The file `openapi.json` in the directory of this
    page contains the same document.

    - Instants have the form of RFC 3339, in UTC, with milliseconds. Durations have the form `90s`, `10m` or `1h30m`.
    - The daemon refuses an unknown field and a field that occurs twice. The error names the field.
    - Send the header field `Idempotency-Key` with each request that changes something. Then you can
      safely send the request again. If you send the same request again with the same key, you get
      the same response, and nothing changes. If you send a different request with the same key, the
      daemon refuses this request (409, `key_reused`). The daemon keeps a key for 7 days. If there
      are more than 2,000 keys of one user or more than 10,000 keys of all users, the daemon deletes
      the oldest keys earlier. An erasure deletes all keys, because a stored response may contain
      erased texts.
    - In the header field `Prompter-Client`, a program can name its kind: `screen`, `button`, `cli`
      or `web`. The daemon refuses any other word in this header field (422, `invalid_field`). The
      record then contains the word as the `source` of the events that the request causes. Without
      the header field, the source is `socket`. The header field gives no rights, because only the
      user id decides the role.
    - In the header field `Prompter-For`, a delegate names the user for whom it sends the request.
      A delegate is a program whose user is in the section `[delegates]` of the configuration. The
      header field `Prompter-Device` contains the number of the user's device (1 to 99). The request
      has the roles `caretaker` and `researcher` of the user, but never the role `admin`. The actor
      in the record names both users: `uid:1001,via:uid:994,device:3`. If a program that is not a
      delegate sends the header field `Prompter-For`, or if the section `[delegates]` does not name
      the user, the daemon refuses the request (403) and records the event `denied`.
    - If an object has versions, the response contains the version in the header field `ETag`. If
      you change the object, send this value in the header field `If-Match`. If the value is not the
      current version, you get 412 with the current `version`, and nothing changes. So you cannot
      overwrite the change of another user. The header field can also contain a list of versions
      (`"3", "4"`), or `*` for any version. A weak tag (`W/"3"`) never matches.
    - The daemon accepts `HEAD` for each path that accepts `GET`. The response has the status and the
      header fields of the response to `GET`, and no body. A `HEAD` request changes nothing: `HEAD
      /v1/export` records no export. If the response to `GET` has no `Content-Length`, the daemon
      closes the connection after the header fields.
    - The daemon accepts the expectation `Expect: 100-continue`, in upper or lower case. The daemon
      refuses any other expectation with 417.
    - To upload a file, send the file itself as the body, for example with `curl --data-binary @FILE`.
      The daemon refuses a form (`multipart/form-data`, which `curl -F` sends) with 400.
    - The daemon refuses a text that breaks the rules in the section "Texts".
    - The daemon sends long lists in pages. If there is another page, the response contains a value
      with which you can request the next page, for example `next_after`.
    - The meaning of a field never changes. Later versions of the daemon may add fields to a
      response. Ignore a field that you do not know.
    - In the tables, the column "Type" can contain the name of an object, for example
      `SpeakerDevice`. The OpenAPI document lists the fields of all objects.

    ## Connection limits

    | Limit | Value |
    |---|---|
    | Connections of each user | 8 |
    | Connections of all users together | 64, and 8 more for admins |
    | If these 64 connections are in use: additional connections, each for a user who can answer a prompt and has no connection | 16 |
    | If no other connection is free: additional connections, each for one request | 32, and at most 2 for each user |
    | Connections of all users without a role together | 8 of the 64 |
    | Request line and header fields of a request together | 16 KiB, received within 5 s |
    | Body of a request, if this page states no other limit for the request | 64 KiB |
    | Speed at which the client sends a body, after the first 5 s | at least 8 KiB/s on average |
    | Time without a new byte of a body | 10 s |
    | Uploads of each user at the same time | 12 MiB; the first 64 KiB of each upload do not count |
    | Uploads of all users together at the same time | 32 MiB; the first 64 KiB of each upload do not count |
    | Idle time between two requests | 60 s |
    | Time in which a client reads nothing of a response | 60 s |

    Patients, caretakers and admins can answer a prompt. If no other connection is free, a patient,
    caretaker or admin still gets a connection for one request. On this connection, the daemon
    accepts only these requests: to list prompts, to read one prompt or its responses, or to answer
    (`acknowledge`, `complete`, `delay`, `decline`, `cancel`, `undo`, `responses`). The daemon
    refuses any other request on this connection with 429 or 503, and sends the header field
    `Retry-After`. Even if other uploads have reached a limit, the daemon accepts the first 64 KiB
    of each body. So uploads never block a request with a small body.


    """

  private static var texts: String {
    """

    ## Texts

    The length of a text has two limits: the number of characters, and the number of bytes in UTF-8.
    Each Unicode scalar counts as one character. For example, a letter with two separate accents
    counts as three characters. If a text breaks a rule, the daemon refuses the request with 422.
    The error names the `field`. The error also names either the limit and the length of the text,
    or the character that is not allowed.

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

    - Line feeds (U+000A) separate the lines. The daemon refuses all other line breaks and all other
      control characters, including tabs. In a diary file, the lines of a note may end with CR and LF.
    - The daemon refuses these characters: unassigned characters, private-use characters, noncharacters,
      format characters, and invisible characters. Examples are zero-width characters, bidirectional
      controls (U+202A to U+202E, U+2066 to U+2069, U+200E, U+200F, U+061C), fillers such as U+3164,
      soft hyphens, tag characters such as U+E0041, and signs such as U+0600, which a program can
      draw together with the next character.
    - There are exceptions. The daemon accepts the joiners U+200C and U+200D between two letters or
      combining marks whose code is U+0590 or higher, for example Hebrew and Arabic letters. After a
      virama (a sign that removes a vowel), a joiner is also accepted at the end of a word. U+200D
      is also accepted between emoji. Variation selectors are accepted after emoji, ideographs and
      Mongolian letters.
    - If a text must not be empty, it needs at least one visible character. A text of one line that
      consists only of invisible characters, for example of spaces, is also refused. A text must not
      begin with a combining mark (for example a separate accent), and must not have more than
      \(TextRule.marksInARow) combining marks in a row.
    - The `id` of a new person is 1 to 64 ASCII letters, digits, dots, dashes and underscores, and begins
      with a letter or a digit. The daemon refuses an id (409) that looks like the id of
      another person: if only upper and lower case is different, or only similar characters such as
      `0` and `o`. This rule also applies to the ids of removed people.
    - The name of a tone is 1 to 64 ASCII letters, digits, dots, dashes and underscores, and does not begin
      with a dot. Names of questions and choices are 1 to 32 lower-case letters, digits and
      underscores. The fields `study`, `pseudonym` and `arm` of an enrolment are 1 to 64 ASCII
      letters, digits, dots, dashes and underscores.
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
      `kind` never changes. `detail` is a sentence for the user. `field` is the name of the wrong field.

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
    configuration can change the limits of alarms, recordings and pictures (`[limits]`). The column "All users" contains
    the limit for all users of the home together. One user with much data cannot block the other
    users: after all users together have reached this limit, each user can still have up to one
    sixteenth of the limit. The data of all users together never exceed five quarters of the limit.

    | Data | All users | Each user |
    |---|---|---|
    | alarms, counted for the user who created them | 5,000 | 5,000 |
    | size of all texts and lists in alarms (not configurable) | 32 MiB | 32 MiB |
    | recordings, counted for the user who last added them | 500 files, 500 MiB | 250 files, 250 MiB |
    | pictures, counted for the user who uploaded them | 1,000 files, 500 MiB | 500 files, 250 MiB |
    | stored responses to requests with an `Idempotency-Key`, for 7 days | 10,000 | 2,000 |
    | responses to one question of one prompt, including corrections | 20 | 20 |
    | answers "on my way" to one prompt | 20 | 20 |
    | undone answers to one prompt | 20 | 20 |
    | downloads of a person's own data, in one hour | | 20 |

    There is no limit for `complete`, `delay` and `decline`, because these answers stop a ring.

    The daemon keeps 64 MiB of the disk free for the record. If an upload would use some of this space, the daemon
    refuses the upload (503, `storage_failed`). In addition, a reserve file occupies 16 MiB. If the disk is full, the
    daemon deletes the reserve file, refuses uploads and changes by caretakers, and still records answers.

    ## A patient who is restricted to one person

    The configuration can restrict a user with the role `patient` to the data of one person (`[patients]`). In each
    response and in the event stream, this user gets only the data of this person:

    - If the user requests another person, or a prompt, picture or recording of another person, the
      response is the same as for an object that does not exist (404). If the query parameter
      `person` contains any other name, the daemon refuses the request (403). The daemon also does
      this if nobody in the home has this name.
    - The user sees the recordings that the person's alarms use, and the `tone` of the person. The
      user sees the pictures that the person's alarms show, the photos of the person's completed
      tasks, and the pictures that this user uploaded and did not yet add to a completed task.
    - `status` counts the alarms and prompts of the person, and lists the problems of the home and
      of the person. The response has no `record.events` and no `record.head`. The event stream does
      not contain the events of other people. The sequence numbers of these events are missing in
      the stream.
    - To a completed task, the user can add only photos that this user uploaded. Nobody can use the
      picture of an alarm as the photo of a completed task (409).

    """
}
