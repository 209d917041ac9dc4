import Alarms
import CivilTime
import Engine
import FileSystem
import Logbook
import Simulation
import StudyExport

/// The plan of one simulated participant. It contains the probability of an answer in each period.
struct TrialPlan {
  /// A period of the trial in which the probability is constant.
  struct Period {
    var from: Instant
    var to: Instant
    /// The probability that the person completes a prompt that is due in the period, from 0 to 1.
    var probability: Double
  }

  var name: String
  var study: EnrolmentForm?
  var crossover: CrossoverForm?
  var begin: Instant
  var end: Instant
  /// The periods in which the person can complete a prompt. Outside of these periods, the person
  /// never completes a prompt.
  var periods: [Period]
  /// The instant at which the person leaves the study; nil if the person stays.
  var withdrawal: Instant?
  /// The period in which the speaker does not work; nil if the speaker always works.
  var brokenSpeaker: (from: Instant, to: Instant)?
}

/// A simulated home of a trial. The home uses the real engine and the real record.
///
/// The patient completes a prompt with the probability in the plan, between 20 seconds and 20
/// minutes after the due time. The class is `@unchecked` because the compiler cannot check that the
/// class is Sendable. The class runs on one thread only.
final class TrialHome: @unchecked Sendable {
  private let plan: TrialPlan
  private let environment: Environment
  private let logbook: Logbook
  private var random: SeededRandom
  private var engine: EngineCore?
  private var now: Instant
  private var armed: Instant?
  /// The future inputs, in the order of their instants.
  private var inputs: [(at: Instant, input: Input)] = []

  private static let person = PersonID.patient
  private static let patient = Actor(role: .patient, id: "uid:1002", source: "screen")
  private static let caretaker = Actor(role: .caretaker, id: "uid:1001", source: "socket")
  private static let researcher = Actor(role: .researcher, id: "uid:1003", source: "socket")

  /// - Parameters:
  ///   - directory: a new directory for the record.
  ///   - times: the times of day at which a task is due, for example `09:00`.
  init(
    _ plan: TrialPlan, directory: String, environment: Environment, seed: UInt64, times: [String]
  ) throws {
    self.plan = plan
    self.environment = environment
    random = SeededRandom(seed: seed)
    now = plan.begin
    let opened = try Logbook.opening(
      directory: directory, refuge: nil, now: plan.begin.milliseconds)
    logbook = opened.logbook
    engine = EngineCore(
      home: HomeState(snapshot: opened.snapshot, limits: .standard, environment: environment),
      ports: ports())
    _ = try engine?.handle(.started(Start(version: "simulated")))
    for (index, time) in times.enumerated() {
      var form = AlarmForm()
      form.label = "Task at \(time)"
      form.person = Self.person.text
      form.schedule = "every day \(time)"
      let id = AlarmID("\(plan.name)-task\(index)")
      _ = try engine?.handle(.command(.add(id, form), Self.caretaker))
    }
    if let study = plan.study {
      _ = try engine?.handle(.command(.enrol(Self.person, study), Self.researcher))
    }
    if let crossover = plan.crossover {
      _ = try engine?.handle(.command(.crossover(Self.person, crossover), Self.researcher))
    }
    arm(isMoreDue: true)
    if let withdrawal = plan.withdrawal {
      let command = Command.withdraw(
        Self.person, Withdrawal(reason: "simulated"), erasing: nil)
      schedule(.command(command, Self.researcher), at: withdrawal)
    }
  }

  /// Runs the home until the end of the plan.
  func run() throws {
    while true {
      let next = min(inputs.first?.at ?? plan.end, armed ?? plan.end)
      guard next < plan.end else { return }
      now = max(now, next)
      if let input = inputs.first, input.at <= now {
        inputs.removeFirst()
        arm(isMoreDue: try engine?.handle(input.input).isMoreDue)
      } else {
        arm(isMoreDue: engine?.wake())
      }
    }
  }

  /// Sets the timer to the next instant at which the engine has something to do. The timer leaves
  /// out the heartbeats, because most events of a record are heartbeats, and no estimate uses them.
  private func arm(isMoreDue: Bool?) {
    armed = isMoreDue == true ? now : engine?.home.nextWake
  }

  /// Writes the export of the home.
  func export(to directory: String, profile: ExportProfile) throws {
    let zones = environment.zone
    _ = try logbook.writeExport(to: directory, profile: profile, zone: zones)
  }

  private func ports() -> Ports {
    Ports(
      now: { [unowned self] in
        ClockReading(
          wall: now, bootNanoseconds: (now.milliseconds - plan.begin.milliseconds) * 1_000_000,
          bootID: "boot-\(plan.name)", clockState: .synced)
      },
      environment: { [unowned self] in environment },
      record: { [unowned self] records, changes in
        try logbook.record(records, changes)
        for record in records { react(to: record.event) }
      },
      play: { [unowned self] in play($0) },
      stop: { [unowned self] in stop($0, ring: $1) },
      rehearse: { _ in },
      setLevel: { _, _ in },
      notify: { _ in },
      cancelNotification: { _ in },
      wake: { _ in },
      freeBytes: { nil },
      log: { _ in })
  }

  private func schedule(_ input: Input, at instant: Instant) {
    let place = inputs.firstIndex { $0.at > instant } ?? inputs.endIndex
    inputs.insert((instant, input), at: place)
  }

  /// Decides whether the patient will complete a prompt that is due now.
  private func react(to event: Event) {
    guard case .due(let prompt, _) = event else { return }
    let draw = Double(random.next() >> 11) * 0x1p-53
    let delay = random.roll(20_000...1_200_000)
    let period = plan.periods.first { $0.from <= now && now < $0.to }
    guard let period, draw < period.probability else { return }
    schedule(
      .command(.answer(prompt, .complete), Self.patient), at: now.adding(milliseconds: delay))
  }

  private func play(_ order: PlayOrder) {
    if let broken = plan.brokenSpeaker, broken.from <= now, now < broken.to {
      let failed = SoundReport.failed(order.prompt, ring: order.ring, reason: "simulated")
      return schedule(.sound(failed), at: now.adding(milliseconds: 50))
    }
    let started = SoundReport.started(order.prompt, ring: order.ring, device: "simulated")
    schedule(.sound(started), at: now.adding(milliseconds: random.roll(20...200)))
    schedule(
      .sound(Self.ended(order.prompt, order.ring, stopped: false)),
      at: now.adding(milliseconds: 6_000))
  }

  private func stop(_ prompt: PromptID, ring: Int) {
    let place = inputs.firstIndex { _, input in
      if case .sound(.ended(prompt, ring, _, _, _, _)) = input { true } else { false }
    }
    guard let place else { return }
    inputs.remove(at: place)
    schedule(
      .sound(Self.ended(prompt, ring, stopped: true)), at: now.adding(milliseconds: 20))
  }

  private static func ended(_ prompt: PromptID, _ ring: Int, stopped: Bool) -> SoundReport {
    .ended(
      prompt, ring: ring, device: "simulated", frames: 240_000, xruns: 0, stopped: stopped)
  }
}
