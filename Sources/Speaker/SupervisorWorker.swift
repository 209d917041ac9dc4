import Glibc
import Processes
import SoundProtocol

/// The thread of the supervisor. The thread polls the mailbox and the child process, and executes
/// actions.
///
/// `Supervision` decides which actions the thread executes. The thread must not end before its
/// child processes (see the comments of `ChildProcess`).
struct SupervisorWorker: Sendable {
  let mailbox: SupervisorMailbox
  let executable: String
  let devices: [OutputDevice]
  let environment: [String: String]?
  let mixer: MixerPolicy?
  let onLog: @Sendable (String) -> Void
  let onEvent: @Sendable (SpeakerEvent) -> Void

  /// The maximum time, in milliseconds, for which the thread waits for the exit of the player after
  /// a call of `closeCommands`.
  private static let exitBound: Int64 = 300

  /// Runs the thread until the supervisor is shut down.
  func run() {
    var loop = Loop(worker: self, mind: Supervision(devices: devices))
    loop.give(.start)
    while !(loop.mind.isShuttingDown && loop.mind.isIdle) { loop.turn() }
    loop.endPlayer(within: Self.exitBound)
  }

  /// Reports each requested ring as failed, because the thread could not be created.
  func failWithoutThread() {
    for case .play(let sound, _) in mailbox.takeAll() {
      onEvent(.failed(id: sound.id, reason: "cannot start a thread for the speaker"))
    }
    onEvent(.unusable(reason: "cannot start a thread for the speaker"))
  }

  fileprivate struct Loop {
    let worker: SupervisorWorker
    var mind: Supervision
    var player: PlayerProcess?
    /// The ids of the killed child processes whose exit status the thread has not read yet. The
    /// thread does not wait for these processes, because a process that hangs in a driver exits
    /// late.
    var dying: [pid_t] = []

    mutating func turn() {
      wait()
      dying.removeAll { ChildProcess.reap($0) != nil }
      for input in worker.mailbox.takeAll() { give(input) }
      readPlayer()
      if let deadline = mind.deadline, monotonicMilliseconds() >= deadline { give(.tick) }
    }

    mutating func give(_ input: Supervision.Input) {
      let now = monotonicMilliseconds()
      for action in mind.take(input, now: now) {
        switch action {
        case .emit(let event): worker.onEvent(event)
        case .log(let line): worker.onLog(line)
        case .kill: discardPlayer()
        case .spawn: spawn()
        case .send(let command): send(command)
        }
      }
    }

    /// Sleeps until a request, a message or a deadline arrives.
    ///
    /// If there is no deadline and the exit status of every killed child process is known, the
    /// thread sleeps without a time limit. Therefore, an idle speaker causes no wake-ups.
    private func wait() {
      var polled = [pollfd(fd: worker.mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
      if let player {
        polled.append(pollfd(fd: player.messages, events: Int16(POLLIN), revents: 0))
        if player.isLogOpen {
          polled.append(pollfd(fd: player.log, events: Int16(POLLIN), revents: 0))
        }
        if player.hasUnsent {
          polled.append(pollfd(fd: player.commands, events: Int16(POLLOUT), revents: 0))
        }
      }
      var timeout: Int64 = dying.isEmpty ? -1 : 100
      if let deadline = mind.deadline {
        let remaining = max(0, deadline - monotonicMilliseconds())
        timeout = timeout < 0 ? remaining : min(timeout, remaining)
      }
      poll(&polled, nfds_t(polled.count), Int32(clamping: timeout))
    }

    private mutating func readPlayer() {
      guard let player else { return }
      player.flush()
      for line in player.readLog() { worker.onLog(String(decoding: line, as: UTF8.self)) }
      guard let lines = player.readMessages() else { return handleClosedStream(of: player) }
      for line in lines where self.player === player {
        if let message = PlayerMessage(line: line) {
          give(.said(message))
        } else {
          give(.malformed(line: String(decoding: line, as: UTF8.self)))
        }
      }
    }

    /// Handles a player that closed its stream of messages. The player has exited, or the
    /// supervisor can no longer use the player.
    private mutating func handleClosedStream(of player: PlayerProcess) {
      player.kill()
      self.player = nil
      // After `kill`, a child process ends at once, unless it hangs in a driver. If the child
      // process hangs, the thread of the supervisor collects its exit status later.
      let status = collect(player.pid, within: 50)
      if status == nil { dying.append(player.pid) }
      let how = status.map(ChildProcess.describe) ?? "no exit status"
      give(.gone(reason: "the player ended unexpectedly: \(how)"))
    }

    private mutating func discardPlayer() {
      guard let player else { return }
      player.kill()
      dying.append(player.pid)
      self.player = nil
    }

    private mutating func spawn() {
      var arguments = ["play", "--parent", "\(getpid())"]
      if let mixer = worker.mixer {
        arguments += ["--state", mixer.stateDirectory]
      }
      do {
        player = try PlayerProcess(
          executable: worker.executable, arguments: arguments, environment: worker.environment)
      } catch {
        // The state machine processes one input at a time, and is still processing the input that
        // started this player. Therefore, put the input `.gone` into the mailbox.
        worker.mailbox.post(.gone(reason: "\(error)"))
      }
    }

    private func send(_ command: PlayerCommand) {
      do {
        try player?.send(command.line())
      } catch {
        worker.mailbox.post(.gone(reason: "cannot write a command: \(error)"))
      }
    }

    mutating func endPlayer(within milliseconds: Int64) {
      guard let player else { return }
      player.closeCommands()
      if collect(player.pid, within: milliseconds) == nil {
        player.kill()
        _ = collect(player.pid, within: milliseconds)
      }
      self.player = nil
    }

    private func collect(_ pid: pid_t, within milliseconds: Int64) -> Int32? {
      let deadline = monotonicMilliseconds() + milliseconds
      while true {
        if let status = ChildProcess.reap(pid) { return status }
        if monotonicMilliseconds() >= deadline { return nil }
        usleep(2_000)
      }
    }
  }
}
