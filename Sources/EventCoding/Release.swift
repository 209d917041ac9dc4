/// The version of Prompter. All programs and the package of one release have this version.
public enum Release {
  public static let version = "0.2.0"
}
