// Order errors of a segment, where the report has them.
function errorsOf(report, system, segment) {
  return report.errors ? report.errors.of(system, segment) : [];
}

function errorList() {
  return null;
}
