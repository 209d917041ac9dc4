import Alarms
import CivilTime
import Sentences

/// The decision about the screen that the person sees.
public struct ScreenDecision: Sendable {
  public var state: ScreenState
  /// The next instant at which the screen changes without new data from the daemon; nil if there is
  /// no such instant.
  public var validUntil: Instant?
  /// True if the screen is dark. The screen is dark during the quiet hours of the person if no task
  /// calls.
  public var isNight: Bool

  /// The period after an answer in which a person can undo the answer, in milliseconds. The daemon
  /// permits an undo in the same period.
  static let undoMilliseconds: Int64 = 60_000
  /// The period after an answer in which the screen shows this answer even if another task calls,
  /// in milliseconds.
  static let praiseMilliseconds: Int64 = 8_000

  /// - Parameters:
  ///   - answering: the questions that the screen asks, and the answers that the daemon does not
  ///     have yet.
  ///   - language: the language of the keyboard.
  public init(
    _ reading: HomeReading, _ answering: Answering = Answering(), language: Language = .english
  ) {
    let calling = reading.taskThatCalls(answering)
    let onTheWay = reading.taskOnTheWay
    let answered = reading.answered(answering)
    let asked = answering.question(reading, language)
    let isPraised = answered.map { answered in
      answered.since <= Self.praiseMilliseconds
        && answered.screen.promptID != asked?.screen.promptID
    }
    if let asked, calling == nil, isPraised != true {
      state = .question(asked.screen)
      validUntil = asked.end
    } else {
      switch (answered, calling) {
      case (let answered?, let calling?)
      where answered.since > Self.praiseMilliseconds || calling.due > answered.at:
        state = .calling(reading.callingScreen(calling))
      case (let answered?, let calling)
      where calling != nil || onTheWay == nil || answered.since <= Self.praiseMilliseconds:
        state = .answered(answered.screen)
        let isLast = calling == nil && onTheWay == nil && asked == nil
        validUntil =
          isLast ? answered.until : answered.at.adding(milliseconds: Self.praiseMilliseconds)
      case (nil, let calling?):
        state = .calling(reading.callingScreen(calling))
      case (_, _):
        state =
          onTheWay.map { .onMyWay(reading.onMyWayScreen($0)) } ?? .idle(reading.idleScreen)
      }
    }
    let time = reading.personZone.civil(at: reading.now).dateTime.time
    let isQuiet = reading.quietHours?.contains(time) ?? false
    if case .idle = state { isNight = isQuiet } else { isNight = false }
  }
}

extension HomeReading {
  func local(_ instant: Instant) -> CivilDateTime { zone.civil(at: instant).dateTime }

  /// Returns the due prompt that the screen shows; nil if no prompt is due.
  ///
  /// A visible prompt has the same effect on the person as a sound, so the daemon decides which
  /// prompts the screen may show. The daemon excludes a prompt that quiet hours, a pause or a
  /// control phase hold back.
  fileprivate func taskThatCalls(_ answering: Answering) -> PromptReading? {
    let due = prompts.filter { $0.isShownAsDue && !answering.isStarted($0) }
    return due.first { $0.id == calling?.id } ?? due.first { $0.state == .ringing }
      ?? due.min { ($0.due, $0.id) < ($1.due, $1.id) }
  }

  fileprivate var taskOnTheWay: PromptReading? {
    if isSilenced { return nil }
    return prompts.filter { $0.state == .acknowledged }
      .min { ($0.due, $0.id) < ($1.due, $1.id) }
  }

  fileprivate func callingScreen(_ prompt: PromptReading) -> TaskScreen {
    let acknowledgesFirst = calling?.id == prompt.id && calling?.acknowledgesFirst == true
    let asksYesOrNo = checkIns[prompt.id]?.asksYesOrNo == true
    return taskScreen(
      prompt,
      prompt.isAnnouncement
        ? asksYesOrNo ? .yes : .heard : acknowledgesFirst ? .onMyWay : .done)
  }

  fileprivate func onMyWayScreen(_ prompt: PromptReading) -> TaskScreen {
    taskScreen(prompt, .done, again: prompt.acknowledgedUntil)
  }

  private func taskScreen(
    _ prompt: PromptReading, _ right: TrackEnds.Right, again: Instant? = nil
  ) -> TaskScreen {
    TaskScreen(
      promptID: prompt.id, label: prompt.label, instructions: prompt.instructions,
      image: prompt.image, due: local(prompt.due).time,
      ends: TrackEnds(hasLater: prompt.mayDelay && !prompt.isAnnouncement, right: right),
      again: again.map { local($0).time }, canBeSaidAgain: prompt.isShownAsDue,
      isReported: isPatient)
  }

  /// An answer that the screen shows.
  fileprivate struct Answered {
    var screen: AnsweredScreen
    /// The later of two times: the time of the answer, and the time at which the person answered or
    /// skipped the last question.
    var at: Instant
    /// The time since `at`, in milliseconds.
    var since: Int64
    var until: Instant
  }

  /// Returns the newest answer that the screen shows: "done", "later", or the answer to a message.
  /// The screen shows an answer while the person can still undo it, and for a few seconds after the
  /// last question.
  fileprivate func answered(_ answering: Answering) -> Answered? {
    prompts.filter { $0.isCompleted || $0.state == .delayed }
      .compactMap { answered($0, answering.finished[$0.id]) }
      .max { ($0.at, $0.screen.promptID) < ($1.at, $1.screen.promptID) }
  }

  private func answered(_ prompt: PromptReading, _ finished: Instant?) -> Answered? {
    let undoUntil = prompt.undoUntil.flatMap { $0 > now ? $0 : nil }
    let answer = undoUntil?.adding(milliseconds: -ScreenDecision.undoMilliseconds)
    guard let at = [answer, finished].compactMap({ $0 }).max() else { return nil }
    let praise = at.adding(milliseconds: ScreenDecision.praiseMilliseconds)
    let until = undoUntil.map { max($0, praise) } ?? praise
    guard until > now else { return nil }
    let kind: AnsweredScreen.Kind =
      if prompt.isAnnouncement {
        .message(isYes: checkIns[prompt.id]?.isYes)
      } else if prompt.isCompleted {
        .done(DayProgress(done: doneToday, planned: plannedToday))
      } else {
        .later(again: prompt.delayedUntil.map { local($0).time })
      }
    return Answered(
      screen: AnsweredScreen(
        promptID: prompt.id, label: prompt.label, kind: kind, canUndo: undoUntil != nil,
        reward: reward(kind)),
      at: at, since: now.milliseconds(since: at), until: until)
  }

  /// Returns the reward picture after the last task of the day. During a pause or a control phase,
  /// there is no reward picture, because a reward could change the results of a study.
  private func reward(_ kind: AnsweredScreen.Kind) -> String? {
    guard case .done(let progress) = kind, progress.isComplete, !isSilenced else { return nil }
    return rewardImage
  }

  fileprivate var idleScreen: IdleScreen {
    let today = DateWords.day(of: local(now))
    let tasks = prompts.filter { !$0.isAnnouncement }
    let last = tasks.filter(\.isCompleted)
      .compactMap { task in task.closedAt.map { (task, $0) } }
      .filter { DateWords.day(of: local($0.1)) == today }
      .max { $0.1 < $1.1 }
    let next =
      isSilenced
      ? nil
      : tasks.compactMap { task -> (PromptReading, Instant)? in
        switch task.state {
        case .planned: (task, task.due)
        case .delayed: task.delayedUntil.map { (task, $0) }
        case .ringing, .acknowledged, .other: nil
        }
      }
      .filter { $0.1 > now && DateWords.day(of: local($0.1)) <= today.adding(days: 1) }
      .min { $0.1 < $1.1 }
    return IdleScreen(
      last: last.map { .init(label: $0.label, time: local($1).time) },
      next: next.map {
        .init(
          label: $0.label, time: local($1).time,
          isTomorrow: DateWords.day(of: local($1)) > today)
      },
      progress: DayProgress(done: doneToday, planned: plannedToday))
  }
}
