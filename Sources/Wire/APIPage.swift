import Alarms

/// `docs/API.md`: the contract for people, made of the table of routes.
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
    return page + errors
  }

  private static func roles(_ route: Route) -> String {
    Route.ordered(route.roles).map(\.rawValue).joined(separator: ", ")
  }

  /// As GitHub and most others make it of a heading.
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

  private static func words(_ shape: Shape) -> String {
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
      (409, `key_reused`). A key is kept for a day, at least;
      an erasure forgets all keys, for an answer that is kept may hold what is erased.
    - Send the `ETag` that you have seen as `If-Match`, and nobody's change is lost: where the version
      is another by now, you get 412 with the `version` that is, and nothing has changed.
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
    return text
  }
}
