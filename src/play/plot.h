// Plots as inline SVG. Colours come from the page's style sheet (report_style), so that they follow
// light and dark mode; every mark has a tooltip.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parlor::play {

std::string escape_html(std::string_view text);
// A number as people write it: 1234 → "1,234", 0.1234 → "0.123", 12.0 → "12".
std::string tidy_number(double value);

std::string histogram(std::span<const double> values, std::string_view x_label);

struct IntervalRow {
  std::string label;
  double value;
  double low;
  double high;
  std::string note;  // e.g. the number of games
};
// Shares from 0 to 1 with their confidence intervals; `reference` is drawn as a line.
std::string interval_plot(std::span<const IntervalRow> rows, std::optional<double> reference,
                          std::string_view reference_label);

struct BarRow {
  std::string label;
  double value;  // filled part
  double whole;  // outline, e.g. how often it was possible; 0: none
  std::string tip;
};
std::string bar_plot(std::span<const BarRow> rows);

struct BandPoint {
  double x;
  double low;
  double middle;
  double high;
};
struct BandLabels {
  std::string_view x;
  std::string_view y;
  bool zero_line = false;
  bool x_percent = false;
  bool whole = false;  // y comes only in whole numbers
};
// A line with a band around it.
std::string band_plot(std::span<const BandPoint> points, const BandLabels& labels);

struct LineSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;
};
// Several lines with a legend above; x are shares from 0 to 1.
std::string line_plot(std::span<const LineSeries> series, std::string_view x_label,
                      std::string_view y_label);

struct ScatterPoint {
  double x;
  double y;
  double value;  // 0..1, shown as intensity
  bool best;
  std::string tip;
};
std::string scatter_plot(std::span<const ScatterPoint> points, std::string_view x_label,
                         std::string_view y_label);

}  // namespace parlor::play
