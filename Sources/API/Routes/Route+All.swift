/// The table of all routes of the API.
///
/// The router, the role checks, the OpenAPI document and the reference pages read this table. Some
/// tests read this table to call each route in each role. The daemon contains no second list of
/// paths.
///
/// To add a route:
///
/// 1. Add a case to `Route.Operation`, in the group of its resource.
/// 2. Write the row of the route in the file of the resource, `Route+….swift`. The row contains the
///    roles, and the formats of the request body and the response body (`JSONSchema+….swift`). If
///    the maximum size of the request body is not 64 KiB, the row also contains this size. For a
///    new resource, add a new file and a line to the list below.
/// 3. Handle the operation: add a case to `RequestHandler.respond`, and write the code in the file
///    of the resource, `RequestHandler+….swift`. Read a body with `FieldReader`. `FieldReader`
///    refuses a body with an unknown field, and names this field.
///
/// The tests check the new route without a change of the tests. They call each route in each role,
/// send each request with an unknown field, and compare the documentation with this table.
extension Route {
  public static let all: [Route] =
    homeRoutes
    + speakerRoutes
    + alarmRoutes
    + promptRoutes
    + responseRoutes
    + toneRoutes
    + imageRoutes
    + holidayRoutes
    + personRoutes
    + contactRoutes
    + messageRoutes
    + supplyRoutes
    + phaseRoutes
    + studyRoutes
    + recordRoutes
}
