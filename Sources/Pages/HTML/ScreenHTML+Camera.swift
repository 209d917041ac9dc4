import Sentences
import StudyExport

/// The camera for a photo of the finished task. The camera is a part of the screen "done", and is
/// hidden until the person asks for it. The screen "done" appears only after the task is recorded
/// as done, so a fault of the camera cannot prevent this record.
extension ScreenHTML {
  func photoButton(_ answered: AnsweredScreen) -> String {
    guard hasCamera, answered.canUndo, case .done = answered.kind else { return "" }
    return "\n" + button("open", .photoTake, answered) + photoSent
  }

  func camera(_ answered: AnsweredScreen) -> String {
    guard hasCamera, answered.canUndo, case .done = answered.kind else { return "" }
    return """

      <div class="camera" data-camera hidden>
      <video data-in="live" aria-label="\(say(.photoView))" autoplay muted playsinline></video>
      <canvas data-in="still" role="img" aria-label="\(say(.photoView))" hidden></canvas>
      <p class="failed" role="alert" data-in="failed" hidden>\(say(.photoFailed))</p>
      <div class="after">\(button("close", .photoNone, answered))
      \(button("take", .photoTake, answered, during: "live"))
      \(button("retake", .photoRetake, answered, during: "still"))
      \(button("send", .photoSend, answered, during: "still"))</div>
      </div>
      """
  }

  private var photoSent: String {
    "<p class=\"again\" role=\"status\" data-photo-sent hidden>\(say(.photoSent))</p>"
  }

  /// - Parameter phase: the phase of the camera in which the button is visible; nil if the button
  ///   is visible in all phases.
  private func button(
    _ action: String, _ word: Sentence, _ answered: AnsweredScreen, during phase: String? = nil
  ) -> String {
    let visible = phase.map { " data-in=\"\($0)\"\($0 == "live" ? "" : " hidden")" } ?? ""
    return "<button class=\"photo\" data-answer=\"photo-\(action)\" "
      + "data-prompt=\"\(HTMLText.escaped(answered.promptID))\"\(visible)>\(say(word))</button>"
  }
}
