#include "study_figure_words.h"

#include "significant.h"
#include "study_tally.h"

enum { DIGITS = 4 };

static const char *place_words(const ChartPoint *point, Document *document) {
    if (point->label != NULL) {
        return point->label;
    }
    char x[SIGNIFICANT_SIZE];
    significant_text(point->x, DIGITS, x);
    return document_text(document, "%s", x);
}

static const char *point_words(const ChartPoint *point, Document *document) {
    char y[SIGNIFICANT_SIZE];
    significant_text(point->y, DIGITS, y);
    return document_text(document, "%s at %s", y, place_words(point, document));
}

static const char *series_words(const ChartSeries *series, Document *document) {
    const ChartPoint *least = &series->points[0], *greatest = least;
    for (size_t i = 1; i < series->count; i++) {
        const ChartPoint *point = &series->points[i];
        least = point->y < least->y ? point : least;
        greatest = point->y > greatest->y ? point : greatest;
    }
    if (series->count == 1) {
        return document_text(document, "%s: %s.", series->name, point_words(least, document));
    }
    return document_text(document, "%s: least %s, greatest %s.", series->name,
                         point_words(least, document), point_words(greatest, document));
}

const char *study_figure_words(const DocChart *chart, Document *document) {
    const char *words = document_text(document, "Vertical: %s. Horizontal: %s. %zu %s.",
                                      chart->y.title != NULL ? chart->y.title : "",
                                      chart->x.title != NULL ? chart->x.title : "", chart->count,
                                      chart->count == 1 ? "curve" : "curves");
    for (size_t i = 0; i < chart->count; i++) {
        if (chart->series[i].count > 0) {
            words = text_joined(document, words, " ", series_words(&chart->series[i], document));
        }
    }
    return words;
}
