import Sentences
import StudyExport

/// The reward picture on the screen after the last task of a day.
extension ScreenHTML {
  func reward(_ answered: AnsweredScreen) -> String {
    guard let reward = answered.reward else { return "" }
    return "<img class=\"picture\" src=\"/picture/\(HTMLText.escaped(reward))\" "
      + "alt=\"\(say(.rewardPicture))\">\n"
  }
}
