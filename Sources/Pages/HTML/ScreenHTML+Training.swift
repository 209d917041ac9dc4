import Sentences
import StudyExport

extension ScreenHTML {
  /// Returns the content of the screen.
  public func fragment(_ state: ScreenState) -> String { screen(state) + corner }

  /// A text with the name of the person whose screen a caretaker has opened. On the screen of a
  /// patient, the text is empty.
  private var corner: String {
    guard let personName else { return "" }
    let text = Sentence.openedByCaretaker(name: personName).text(in: language)
    return "\n<p class=\"corner\">\(HTMLText.escaped(text))</p>"
  }
}
