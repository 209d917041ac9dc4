import Sentences
import StudyExport

extension ScreenHTML {
  /// The content of the screen.
  public func fragment(_ state: ScreenState) -> String { screen(state) + corner }

  /// The words that say whose screen a caretaker has opened; empty on the screen of a patient.
  private var corner: String {
    guard let personName else { return "" }
    let text = Sentence.openedByCaretaker(name: personName).text(in: language)
    return "\n<p class=\"corner\">\(HTMLText.escaped(text))</p>"
  }
}
