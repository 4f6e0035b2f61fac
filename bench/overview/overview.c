/* The report of a stored run, section by section. */
#include "overview_parts.h"

void overview_build(const OverviewRun *run, Document *document) {
    Overview overview;
    overview_open(run, document, &overview);
    overview_summary(&overview);
    overview_crossovers(&overview);
    overview_charts(&overview);
    overview_stages(&overview);
    overview_rooflines(&overview);
    overview_verification(&overview);
    overview_cells(&overview);
    overview_reasons(&overview);
    overview_machine(&overview);
    overview_method(&overview);
    overview_close(&overview);
}
