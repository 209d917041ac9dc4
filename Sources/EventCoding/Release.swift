/// The version of Prompter. All programs, the package and the API have the same version.
public enum Release {
  public static let version = "0.2.0"
}
