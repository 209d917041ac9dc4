/// The whole contract, in one table: the router, the checks of roles, the OpenAPI document, the pages
/// of documentation and the tests of each role with each route all read it. No path is written down
/// anywhere else.
///
/// To add a row:
/// 1. name the operation in `Route.Operation`, in its resource's block;
/// 2. write the row in the resource's file, `Routes….swift`: who may ask, what it takes and answers
///    with (`Shapes….swift`), and the limit of its body where that is not 64 KiB. A new resource gets
///    a file of its own and a line below;
/// 3. answer it in `RequestHandler.respond`, from the resource's own file `RequestHandler….swift`. Read a body
///    with `FieldReader`, which refuses by name what the shape does not list.
///
/// The tests find the rest: each row is asked in each role, each request is sent with a field that it
/// does not know, and what the documentation says is compared with this table.
extension Route {
  public static let all: [Route] =
    homeRoutes
    + speakerRoutes
    + alarmRoutes
    + promptRoutes
    + responseRoutes
    + toneRoutes
    + imageRoutes
    + personRoutes
    + phaseRoutes
    + studyRoutes
    + recordRoutes
}
