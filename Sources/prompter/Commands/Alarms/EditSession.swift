import API
import Alarms
import ClientKit
import FileSystem
import Glibc
import JSONValue

/// One run of the command `prompter edit ALARM` with an editor.
///
/// The session opens a page in the editor, shows the changes, asks for confirmation, and saves the
/// changes.
struct EditSession {
  let id: String
  /// The fields `ends_prompt` and `duplicate`, with which the user permits changes that the daemon
  /// otherwise refuses.
  let permissions: [(String, JSON?)]
  let connection: ConnectionOptions

  func run() throws {
    let file = try EditorFile()
    defer { file.remove() }
    var alarm = try fetch()
    var page = EditForm(alarm).page()
    while true {
      page = Self.withoutErrorLines(try file.edit(page))
      let form = EditForm(alarm)
      do throws(EditForm.Mistake) {
        let changes = try form.changes(in: page)
        if changes.isEmpty { return say("Nothing is changed.") }
        let next = try preview(alarm, changes, page)
        say(Self.difference(alarm, changes) + "\n" + next)
        switch Self.ask() {
        case .no: return say("Nothing is changed.")
        case .again: continue
        case .yes: break
        }
        guard let newer = try save(changes, alarm, page) else { return }
        // Another person saved a change of the alarm first. The new page shows the changes of this
        // user. All other fields show the newest values. If both people changed the same field, a
        // note above this field shows the value that the other person saved.
        let theirs = changes.filter { newer[$0.0] != alarm[$0.0] }.map { change in
          (change.0, "another person changed it to: \(newer[change.0]?.description ?? "nothing")")
        }
        say("Somebody else changed the alarm. The page now has their values and your changes.")
        page = EditForm(newer).page(
          changes: changes, notes: Dictionary(theirs) { first, _ in first })
        alarm = newer
      } catch {
        say("prompter: \(error.text)")
        page = EditForm.page(page, complaining: error)
        guard Self.isTerminal else { throw error.failure }
      }
    }
  }

  private func say(_ text: String) {
    if connection.json { Terminal.printError(text) } else { Terminal.print(text) }
  }

  private func fetch() throws -> JSON {
    try connection.client.send(Request(.showAlarm, ["id": id])).document()["alarm"] ?? .null
  }

  private static func withoutErrorLines(_ page: String) -> String {
    EditForm.parts(page)
      .filter { !$0.hasPrefix(EditForm.complaint) }.joined(separator: "\n")
  }

  // MARK: Preview

  /// Returns a text about the next rings of the changed alarm.
  private func preview(
    _ alarm: JSON, _ changes: [(String, JSON)], _ page: String
  ) throws(EditForm.Mistake) -> String {
    var fields: [(String, JSON?)] = [
      "label", "schedule", "zone", "person", "tone", "leads", "exclude",
    ]
    .filter { name in !changes.contains { $0.0 == name } }
    .compactMap { name in alarm[name].map { (name, $0) } }
    fields += changes.map { ($0.0, $0.1) }
    do {
      let document = try asked(Request(.preview).with(fields)).accepted().document()
      return AlarmText.preview(document) + "\n" + AlarmText.report(document)
    } catch {
      throw Self.mistake(error, on: page)
    }
  }

  /// A refusal of the daemon, and the field of the form that caused the refusal.
  private struct Problem: Error {
    var detail: String
    var field: String?
  }

  /// Sends a request.
  ///
  /// - Throws: `Problem` if the daemon refuses a field.
  private func asked(_ request: Request) throws -> HTTPReply {
    let reply = try connection.client.exchange(request)
    if reply.status == 422 {
      let document = try reply.document()
      throw Problem(detail: document.text("detail"), field: document["field"]?.string)
    }
    return reply
  }

  private static func mistake(_ error: any Error, on page: String) -> EditForm.Mistake {
    if let problem = error as? Problem {
      return EditForm.Mistake(
        line: problem.field.flatMap { EditForm.line(of: $0, in: page) }, text: problem.detail,
        failure: .refused(problem.detail))
    }
    let failure = error as? Failure ?? .unreachable("\(error)")
    return EditForm.Mistake(line: nil, text: failure.sentence, failure: failure)
  }

  private static func difference(_ alarm: JSON, _ changes: [(String, JSON)]) -> String {
    changes.flatMap { name, value in
      let old = alarm[name].flatMap { $0 == .null ? nil : $0 }
      return [
        old.map { Emphasis.bad("- \(name): \(shown($0))") },
        Emphasis.good("+ \(name): \(shown(value))"),
      ].compactMap { $0 }
    }.joined(separator: "\n")
  }

  private static func shown(_ value: JSON) -> String {
    TextFormat.oneLine(value.string ?? value.description)
  }

  // MARK: Asking and saving

  private enum Answer { case yes, no, again }

  private static var isTerminal: Bool { isatty(0) == 1 }

  private static func ask() -> Answer {
    while true {
      Terminal.write(Array("Save this? [y]es, [n]o, [e]dit again: ".utf8), to: 2)
      // If the input has ended, nobody can confirm the changes.
      guard let line = readLine() else { return .no }
      switch line.lowercased().first {
      case "y": return .yes
      case "n": return .no
      case "e": return .again
      default: continue
      }
    }
  }

  /// Saves the changes.
  ///
  /// - Returns: nil if the daemon saved the changes. If another user changed the alarm during the
  ///   edit, the function saves nothing, and returns the current alarm.
  private func save(
    _ changes: [(String, JSON)], _ alarm: JSON, _ page: String
  ) throws(EditForm.Mistake) -> JSON? {
    var request = Request(.editAlarm, ["id": id]).with(
      changes.map { ($0.0, $0.1) } + permissions)
    request.headers.append(("If-Match", "\"\(alarm.text("version"))\""))
    do {
      let reply = try asked(request)
      if reply.status == 412 { return try fetch() }
      let accepted = try reply.accepted()
      if connection.json {
        Terminal.write(json: accepted.body)
      } else {
        Terminal.print(AlarmText.saved(try accepted.document(), verb: "Changed"))
      }
      return nil
    } catch {
      throw Self.mistake(error, on: page)
    }
  }
}

/// The temporary file that contains the page while the user edits it.
///
/// The file is in a directory that only this user can read.
private struct EditorFile {
  private let directory: String
  private var path: String { "\(directory)/alarm.txt" }

  /// The program with which a Debian system starts the editor that the user has chosen: see
  /// sensible-editor(1).
  private static let systemEditor = "sensible-editor"

  init() throws {
    let place = ProcessEnvironment.value("TMPDIR") ?? "/tmp"
    var name = Array("\(place)/prompter-edit-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw Failure.badUsage(
        "cannot create a directory in \(place): \(String(cString: strerror(errno)))")
    }
    directory = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func remove() { removeTree(directory) }

  /// Opens a page in the editor, and returns the page after the user has edited it. The page is a
  /// text with the fields of the alarm.
  ///
  /// - Throws: `Failure.badUsage` if the editor fails. After this error, the caller must not change
  ///   the alarm.
  func edit(_ page: String) throws -> String {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure.badUsage("cannot write \(path): \(String(cString: strerror(errno)))")
    }
    Terminal.write(Array(page.utf8), to: descriptor)
    close(descriptor)
    let editor =
      ProcessEnvironment.value("VISUAL") ?? ProcessEnvironment.value("EDITOR") ?? Self.systemEditor
    // The value of `VISUAL` or `EDITOR` can contain options for the editor. Therefore a shell
    // splits the value into words, as Git also does.
    let pid = try Program.start(["sh", "-c", "\(editor) \"$@\"", "sh", path])
    let code = Program.wait(pid)
    guard code == 0 else {
      throw Failure.badUsage(
        "cannot edit: the editor (\(editor)) ended with status \(code); nothing is changed")
    }
    return String(decoding: try Files.read(path, atMost: 1 << 20), as: UTF8.self)
  }
}
