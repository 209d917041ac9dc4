import ArgumentParser
import ClientKit
import EventCoding
import Glibc
import NIOCore
import Pages
import ScreenServer
import Systemd

/// The program for a display on which a patient sees prompts and answers them.
@main
struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter-screen",
    abstract: "Serve the patient's screen to a browser on this machine.",
    discussion: """
      The program prints the address of the screen. Open this address in a browser on the same machine. The \
      screen shows the time, the task that calls, and two ends to touch: "later" and "done".
      """,
    version: Release.version)

  @Option(help: ArgumentHelp("The socket of the daemon.", valueName: "path"))
  var socket = ConnectionOptions.defaultSocket

  @Option(
    help: ArgumentHelp(
      "The address for the browser. Port 0: any free port.", valueName: "address:port"),
    transform: ScreenArguments.address)
  var listen = LoopbackAddress(host: "127.0.0.1", port: 8_077)

  @OptionGroup var screen: ScreenOptions

  @Flag(help: "Offer a photo of each finished task, taken with the camera of this device.")
  var camera = false

  @Option(
    help: ArgumentHelp(
      "The Chromium that shows the screen. The program starts it, and starts it again if it hangs.",
      discussion: "More options for Chromium follow after --.", valueName: "path"),
    completion: .file())
  var browser: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Options for Chromium.", valueName: "browser-option"))
  var browserOptions: [String] = []

  @Option(
    help: ArgumentHelp(
      "The directory with the lights of the display, such as /sys/class/backlight. The program makes them dim "
        + "while the screen is dark, and bright otherwise.", valueName: "path"),
    completion: .directory)
  var backlight: String?

  @Option(
    help: ArgumentHelp("The brightness by day and while a task calls.", valueName: "percent"))
  var dayBrightness = Backlight.Levels().day

  @Option(
    help: ArgumentHelp("The brightness of the dark screen in quiet hours.", valueName: "percent"))
  var nightBrightness = Backlight.Levels().night

  // These two options make the waiting times shorter for tests.
  @Option(help: .hidden)
  var frameSeconds: Int64 = 45
  @Option(help: .hidden)
  var restartSeconds: Int64 = 30

  func validate() throws {
    if browser == nil, !browserOptions.isEmpty {
      throw ValidationError("options for Chromium need --browser")
    }
    if let browser, !browser.hasPrefix("/") {
      throw ValidationError("\"\(browser)\" is not a path such as /usr/bin/chromium")
    }
    guard (1...100).contains(dayBrightness), (1...100).contains(nightBrightness) else {
      throw ValidationError("the brightness must be between 1 and 100")
    }
    guard frameSeconds > 0, restartSeconds > 0 else {
      throw ValidationError("the times must be positive")
    }
  }

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    if browser == nil {
      // The program stores no data, so it can end at once.
      signal(SIGTERM) { _ in _exit(0) }
    } else {
      BrowserKeeper.blockSignals()
    }
    let home = DaemonHome(
      client: Client(address: .here(socket: socket)), person: screen.person,
      language: screen.language, isForCaretaker: false, hasCamera: camera)
    let lights = backlight.map {
      Backlight(
        directory: $0, levels: .init(day: dayBrightness, night: nightBrightness), report: report)
    }
    let service: ScreenService
    do {
      service = try ScreenService(
        home: home, listen: listen, browser: nil, light: { lights?.show(isNight: $0) },
        report: report)
    } catch {
      report("cannot listen on \(listen): \(error)")
      throw ExitCode(2)
    }
    Terminal.print(service.address)
    service.start()
    let keeper = try keeper(address: service.address, service.stage)
    reportLife(on: service.loop, keeper)
    while true { pause() }
  }
}

extension Main {
  /// If the options contain a browser, starts the browser and the thread that watches it.
  private func keeper(address: String, _ stage: Stage) throws -> BrowserKeeper? {
    guard let browser else { return nil }
    let keeper = BrowserKeeper(
      BrowserCommand(program: browser, options: browserOptions), address: address,
      limits: BrowserWatch.Limits(frame: frameSeconds * 1_000, restart: restartSeconds * 1_000),
      signs: {
        let (pages, frames) = stage.signs
        return BrowserWatch.Signs(pages: pages, frames: frames)
      })
    guard keeper.start() else {
      report(
        "cannot start the thread that watches the browser: \(String(cString: strerror(errno)))")
      throw ExitCode(1)
    }
    return keeper
  }

  /// Tells systemd that the program is ready. Then tells systemd regularly that the program still
  /// works.
  ///
  /// The event loop that serves the pages sends these reports. The reports also stop if the thread
  /// that watches the browser hangs.
  private func reportLife(on loop: any EventLoop, _ keeper: BrowserKeeper?) {
    let manager = ServiceManager()
    manager.ready(status: "serving the screen")
    guard let limit = manager.watchdogMicroseconds else { return }
    let period = TimeAmount.microseconds(Int64(limit / 3))
    loop.scheduleRepeatedTask(initialDelay: .zero, delay: period) { _ in
      if keeper.map({ $0.silence < Int64(limit / 1_000) }) ?? true { manager.alive() }
    }
  }
}

/// Writes a line to standard error. systemd writes standard error to the journal.
@Sendable func report(_ line: String) {
  let bytes = Array("prompter-screen: \(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
