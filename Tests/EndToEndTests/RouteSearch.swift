import API
import Alarms
import Foundation
import StudyExport
import Testing

/// Searches the responses to users of all roles for words.
///
/// The search calls each route that returns data. Only root can use this search, because the search
/// acts as other users.
enum RouteSearch {
  static let users: [(role: Role, uid: String)] = [
    (.patient, "65529"), (.caretaker, "65530"), (.researcher, "65531"), (.analyst, "65532"),
    (.monitor, "65533"), (.admin, "65534"), (.courier, "65528"),
  ]
  static let config =
    "[roles]\n" + users.map { "\($0.role.rawValue) = [\"\($0.uid)\"]\n" }.joined()
  /// Routes whose responses the search does not check. A backup contains the unchanged record,
  /// because a restore needs it, and only an administrator can make a backup. The OpenAPI document
  /// describes all words, but contains no data.
  private static let unchecked: Set<Route.Operation> = [.backup, .openAPI]

  static func uid(_ role: Role) throws -> String {
    try #require(users.first { $0.role == role }).uid
  }

  /// Returns the paths of a route; for an export, one path for each profile and layout.
  ///
  /// - Parameter ids: an id for each collection, such as `people`. If the route needs an id and
  ///   `ids` contains no id for the collection of the route, the result is empty.
  private static func paths(_ route: Route, _ ids: [String: String]) -> [String] {
    var path = route.path
    if path.contains("{") {
      guard let id = ids[path.split(separator: "/")[1].description] else { return [] }
      path = path.replacing("{id}", with: id)
    }
    switch route.operation {
    case .events: return [path + "?after=0"]
    case .series: return [path + "?person=anna&question=pain"]
    case .export:
      return ExportProfile.allCases.flatMap { profile in
        ExportLayout.allCases.map {
          "\(path)?profile=\(profile.rawValue)&layout=\($0.rawValue)"
        }
      }
    default: return [path]
    }
  }

  /// Returns the bytes of a response as text.
  private static func get(
    _ home: TestHome, as uid: String, _ path: String, isStream: Bool
  ) async throws -> (status: String, text: String) {
    let file = home.path("body")
    try Data().write(to: URL(filePath: file))
    #expect(chmod(file, 0o666) == 0)
    let reply = try await home.curl(
      as: uid, "GET", path, seconds: isStream ? 2 : nil, into: file)
    let bytes = try Data(contentsOf: URL(filePath: file))
    return (reply.status, String(decoding: bytes, as: UTF8.self))
  }

  /// Searches the responses to users with the given roles.
  ///
  /// - Returns: the number of responses that contain data (status 200), and each role and operation
  ///   whose response contains one of the words, for example `caretaker events`.
  static func revealing(
    _ words: [String], to roles: [Role] = users.map(\.role), _ home: TestHome, ids: [String: String]
  ) async throws -> (asked: Int, found: Set<String>) {
    var (asked, found) = (0, Set<String>())
    for (role, uid) in users where roles.contains(role) {
      for route in Route.all where route.method == .get {
        if unchecked.contains(route.operation) { continue }
        for path in paths(route, ids) {
          let reply = try await get(
            home, as: uid, path,
            isStream: route.operation == .events && route.roles.contains(role))
          asked += reply.status == "200" ? 1 : 0
          if words.contains(where: reply.text.contains) {
            found.insert("\(role) \(route.operation)")
          }
        }
      }
    }
    return (asked, found)
  }
}
