/// The command that starts Chromium and shows the screen.
struct BrowserCommand {
  /// The path of Chromium.
  var program: String
  /// Additional options for Chromium, for example `--ozone-platform=wayland`.
  var options: [String]

  /// Returns the arguments for a page. With these arguments, the patient cannot close the page, and
  /// the browser shows no controls or messages of its own.
  ///
  /// - Parameters:
  ///   - profile: an empty directory. Each start needs a new directory, because a killed browser
  ///     leaves a lock in its profile. With this profile, the next browser would ask the patient
  ///     whether to restore the pages.
  ///   - address: the address of the page.
  func arguments(profile: String, address: String) -> [String] {
    Self.fixed + ["--user-data-dir=\(profile)"] + options + [address]
  }

  private static let fixed = [
    "--kiosk", "--no-first-run", "--no-default-browser-check", "--noerrdialogs",
    "--disable-session-crashed-bubble", "--disable-infobars",
    // Switch off the functions that look for updates, report crashes or store passwords.
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-breakpad", "--password-store=basic",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    // The patient must not be able to enlarge the page with two fingers, or to leave the page with
    // a swipe.
    "--disable-pinch", "--overscroll-history-navigation=0", "--disable-touch-drag-drop",
    // The page is always visible, so the browser must never slow down the timers of the page.
    "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    // Write only faults that end the browser to the journal.
    "--log-level=3",
  ]
}
