/// The whole contract in one table.
///
/// The router, the role checks, the OpenAPI document, the reference pages, and the tests of each
/// role with each route read this table. No other file contains a path.
///
/// To add a route:
///
/// 1. Add a case to `Route.Operation`, in the group of its resource.
/// 2. Write the row in the file of the resource, `Routes….swift`: roles, content of request and
///    response (`JSONSchema+….swift`), and the limit of the body if it is not 64 KiB. A new resource
///    gets its own file and a line below.
/// 3. Handle it in `RequestHandler.respond`, in the file of the resource, `RequestHandler+….swift`.
///    Read a body with `FieldReader`, which refuses by name each field that is not in the schema.
///
/// The tests cover the rest: they call each row in each role, send each request with an unknown
/// field, and compare the documentation with this table.
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
