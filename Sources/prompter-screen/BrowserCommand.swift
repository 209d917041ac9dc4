/// The command that shows the screen in Chromium.
struct BrowserCommand {
  /// The path of Chromium.
  var program: String
  /// More options of Chromium, for example `--ozone-platform=wayland`.
  var options: [String]

  /// The arguments for a page. The patient can close nothing, and the browser shows nothing of its
  /// own.
  ///
  /// - Parameters:
  ///   - profile: an empty directory. A new one for each start: a browser that was killed leaves a
  ///     lock behind, and would ask whether to restore its pages.
  ///   - address: the address of the page.
  func arguments(profile: String, address: String) -> [String] {
    Self.fixed + ["--user-data-dir=\(profile)"] + options + [address]
  }

  private static let fixed = [
    "--kiosk", "--no-first-run", "--no-default-browser-check", "--noerrdialogs",
    "--disable-session-crashed-bubble", "--disable-infobars",
    // Nothing that looks for updates, reports crashes or stores passwords.
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-breakpad", "--password-store=basic",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    // Two fingers must not enlarge the page, and a swipe must not leave it.
    "--disable-pinch", "--overscroll-history-navigation=0", "--disable-touch-drag-drop",
    // The page is always visible, so its timers must never be slowed down.
    "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    // Only faults that end the browser are worth a line in the journal.
    "--log-level=3",
  ]
}
