import Sentences
import StudyExport

/// The button "say it again". The button is at the same position on each screen with a task, far
/// from the two ends of the track.
extension ScreenHTML {
  func sayAgain(_ task: TaskScreen) -> String {
    guard task.canBeSaidAgain else { return "" }
    return """
      <button class="say" data-answer="again" data-prompt="\(HTMLText.escaped(task.promptID))">\
      \(say(.sayAgain))</button>
      <p class="failed" role="alert" data-again-failed hidden>\(say(.sayAgainFailed))</p>

      """
  }
}
