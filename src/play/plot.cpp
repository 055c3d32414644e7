#include "play/plot.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace parlor::play {
namespace {

constexpr double width = 560;
constexpr double left = 52;
constexpr double right = 544;
constexpr double top = 14;

std::string open_svg(double height, std::string_view label) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", width, height,
                     escape_html(label));
}

std::string text_at(double x, double y, std::string_view kind, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>", x, y, kind,
                     escape_html(text));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view kind) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>",
                     x1, y1, x2, y2, kind);
}

// Round steps so that about `wanted` of them cover the range.
double nice_step(double range, double wanted) {
  if (range <= 0) return 1;
  const double rough = range / wanted;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

struct Axis {
  double low;
  double high;
  double step;
  double from;  // pixels
  double to;
  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

Axis make_axis(double low, double high, double ticks, double from, double to) {
  if (high <= low) high = low + 1;
  const double step = nice_step(high - low, ticks);
  return {std::floor(low / step) * step, std::ceil(high / step) * step, step, from, to};
}

// Grid lines and numbers of a vertical axis.
std::string draw_y(const Axis& axis) {
  std::string out;
  for (double value = axis.low; value <= axis.high + axis.step / 2; value += axis.step) {
    out += line(left, axis.at(value), right, axis.at(value), "grid");
    out += text_at(left - 8, axis.at(value) + 4, "tick end",
                   tidy_number(std::abs(value) < axis.step / 1e6 ? 0 : value));
  }
  return out;
}

// Numbers that only come whole get no ticks between them.
Axis whole_steps(Axis axis) {
  if (axis.step >= 1 && axis.step == std::floor(axis.step)) return axis;
  axis.step = std::max(1.0, std::ceil(axis.step));
  axis.low = std::floor(axis.low / axis.step) * axis.step;
  axis.high = std::max(axis.low + axis.step, std::ceil(axis.high / axis.step) * axis.step);
  return axis;
}

std::string draw_x(const Axis& axis, double bottom, std::string_view label, bool percent) {
  std::string out = line(left, bottom, right, bottom, "axis");
  // Round numbers within the axis only: beyond its end there is no room for a label.
  const double first = std::ceil(axis.low / axis.step - 1e-9) * axis.step;
  for (double value = first; value <= axis.high + axis.step * 1e-6; value += axis.step) {
    const double shown = std::abs(value) < axis.step / 1e6 ? 0 : value;  // never -0
    out += text_at(axis.at(value), bottom + 16, "tick middle",
                   percent ? fmt::format("{:.0f}%", 100 * shown) : tidy_number(shown));
  }
  return out + text_at((left + right) / 2, bottom + 36, "label middle", label);
}

struct Bins {
  double low;
  double width;
  std::vector<std::size_t> counts;
};

Bins sort_into_bins(std::span<const double> values) {
  const double low = std::ranges::min(values);
  const double high = std::ranges::max(values);
  Bins bins{low, std::max(1.0, nice_step(high - low, 24)), {}};
  bins.low = std::floor(low / bins.width) * bins.width;
  bins.counts.resize(static_cast<std::size_t>((high - bins.low) / bins.width) + 1);
  for (const double value : values)
    ++bins.counts[static_cast<std::size_t>((value - bins.low) / bins.width)];
  return bins;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string tidy_number(double value) {
  std::string digits;
  if (std::abs(value) >= 1000 || value == std::round(value))
    digits = fmt::format("{:.0f}", value);
  else
    digits = fmt::format("{:.{}f}", value,
                         std::abs(value) >= 100 ? 1
                         : std::abs(value) >= 1 ? 2
                                                : 3);
  if (digits.find('.') != std::string::npos) {
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
  }
  // Thousands are grouped by commas.
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && i < whole && (whole - i) % 3 == 0 && digits[i - 1] != '-') grouped += ',';
    grouped += digits[i];
  }
  return grouped;
}

std::string histogram(std::span<const double> values, std::string_view x_label) {
  if (values.empty()) return "<p class=\"empty\">No finished games.</p>";
  const Bins bins = sort_into_bins(values);
  constexpr double bottom = 212;
  const Axis y =
      whole_steps(make_axis(0, static_cast<double>(std::ranges::max(bins.counts)), 4, bottom, top));
  const double end = bins.low + bins.width * static_cast<double>(bins.counts.size());
  const Axis x{bins.low, end, nice_step(end - bins.low, 8), left, right};
  const bool single = bins.width == 1;  // every bar is one number and stands over it
  std::string out = open_svg(256, x_label) + draw_y(y);
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    if (bins.counts[i] == 0) continue;
    const double from = bins.low + bins.width * static_cast<double>(i);
    const double height = bottom - y.at(static_cast<double>(bins.counts[i]));
    const double wide = x.at(from + bins.width) - x.at(from);
    const std::string range = bins.width == 1 ? tidy_number(from)
                                              : fmt::format("{} to {}", tidy_number(from),
                                                            tidy_number(from + bins.width - 1));
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\" "
        "class=\"fill\"><title>{}: {} "
        "games</title></rect>",
        x.at(from) + 1, bottom - height, std::max(1.0, wide - 2), height, range, bins.counts[i]);
  }
  if (!single) return out + draw_x(x, bottom, x_label, false) + "</svg>";
  const double half = (x.at(bins.low + 1) - x.at(bins.low)) / 2;
  const Axis middle{bins.low, end - 1, std::max(1.0, std::ceil(nice_step(end - bins.low, 12))),
                    left + half, right - half};
  return out + draw_x(middle, bottom, x_label, false) + "</svg>";
}

std::string interval_plot(std::span<const IntervalRow> rows, std::optional<double> reference,
                          std::string_view reference_label) {
  constexpr double names = 170;
  const double bottom = top + 34 * static_cast<double>(rows.size()) + 6;
  const Axis x{0, 1, 0.25, names, right - 60};
  std::string out = open_svg(bottom + 44, "shares with intervals");
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    out += line(x.at(share), top, x.at(share), bottom, "grid");
    out += text_at(x.at(share), bottom + 16, "tick middle", fmt::format("{:.0f}%", 100 * share));
  }
  if (reference) {
    out += line(x.at(*reference), top - 4, x.at(*reference), bottom, "reference");
    out += text_at(x.at(*reference), bottom + 34, "label middle", reference_label);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const IntervalRow& row = rows[i];
    const double y = top + 34 * static_cast<double>(i) + 20;
    out += text_at(names - 12, y + 4, "name end", row.label);
    out += fmt::format("<g><title>{}: {:.1f}%, 95% interval {:.1f}% to {:.1f}%. {}</title>",
                       escape_html(row.label), 100 * row.value, 100 * row.low, 100 * row.high,
                       escape_html(row.note));
    out += line(x.at(row.low), y, x.at(row.high), y, "whisker");
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5.5\" class=\"dot\"/></g>",
                       x.at(row.value), y);
    out += text_at(right, y + 4, "value end", fmt::format("{:.1f}%", 100 * row.value));
  }
  return out + "</svg>";
}

std::string bar_plot(std::span<const BarRow> rows) {
  if (rows.empty()) return "<p class=\"empty\">Nothing to show.</p>";
  constexpr double names = 170;
  double most = 1;
  for (const BarRow& row : rows) most = std::max({most, row.value, row.whole});
  const Axis x{0, most, most, names, right - 60};
  const double bottom = top + 26 * static_cast<double>(rows.size());
  std::string out = open_svg(bottom + 8, "usage");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BarRow& row = rows[i];
    const double y = top + 26 * static_cast<double>(i);
    const std::string label = row.label.size() > 24 ? fmt::format("{:.22}…", row.label) : row.label;
    out += fmt::format("<g><title>{}: {}</title>", escape_html(row.label), escape_html(row.tip));
    out += text_at(names - 12, y + 13, "name end", label);
    if (row.whole > 0)
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"16\" rx=\"3\" "
          "class=\"soft\"/>",
          names, y, std::max(2.0, x.at(row.whole) - names));
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"16\" rx=\"3\" "
        "class=\"fill\"/></g>",
        names, y, row.value > 0 ? std::max(2.0, x.at(row.value) - names) : 0);
    out += text_at(right, y + 13, "value end", tidy_number(row.value));
  }
  return out + "</svg>";
}

std::string band_plot(std::span<const BandPoint> points, const BandLabels& labels) {
  if (points.size() < 2) return "<p class=\"empty\">Too few points to draw.</p>";
  constexpr double bottom = 212;
  double low = labels.zero_line ? 0 : points[0].low;
  double high = labels.zero_line ? 0 : points[0].high;
  for (const BandPoint& point : points) {
    low = std::min(low, point.low);
    high = std::max(high, point.high);
  }
  Axis y = make_axis(std::min(low, labels.zero_line ? low : 0.0), high, 4, bottom, top);
  if (labels.whole) y = whole_steps(y);
  const Axis x{points.front().x, points.back().x,
               labels.x_percent ? 0.25 : nice_step(points.back().x - points.front().x, 8), left,
               right};
  std::string band, middle;
  for (const BandPoint& point : points) {
    band += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.high));
    middle += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.middle));
  }
  for (auto point = points.rbegin(); point != points.rend(); ++point)
    band += fmt::format("{:.1f},{:.1f} ", x.at(point->x), y.at(point->low));
  std::string out = open_svg(256, labels.y) + draw_y(y);
  if (labels.zero_line) out += line(left, y.at(0), right, y.at(0), "reference");
  out += fmt::format(
      "<polygon points=\"{}\" class=\"band\"/><polyline points=\"{}\" class=\"curve\"/>", band,
      middle);
  for (const BandPoint& point : points)
    out += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"7\" class=\"hover\"><title>{}: middle {}, half of "
        "the games between {} and "
        "{}</title></circle>",
        x.at(point.x), y.at(point.middle),
        labels.x_percent ? fmt::format("after {:.0f}%", 100 * point.x) : tidy_number(point.x),
        tidy_number(point.middle), tidy_number(point.low), tidy_number(point.high));
  return out + draw_x(x, bottom, labels.x, labels.x_percent) + "</svg>";
}

std::string line_plot(std::span<const LineSeries> series, std::string_view x_label,
                      std::string_view y_label) {
  double low = 0, high = 0;
  bool any = false;
  std::string legend = "<div class=\"legend\">";
  for (std::size_t i = 0; i < series.size(); ++i) {
    legend +=
        fmt::format("<span><i class=\"s{}\"></i>{}</span>", i % 6, escape_html(series[i].name));
    for (const auto& [x, y] : series[i].points) {
      low = std::min(low, y);
      high = std::max(high, y);
      any = true;
    }
  }
  if (!any) return "<p class=\"empty\">Too few games to draw.</p>";
  constexpr double bottom = 212;
  const Axis y = make_axis(low, high, 4, bottom, top);
  const Axis x{0, 1, 0.25, left, right};
  std::string out = legend + "</div>" + open_svg(256, y_label) + draw_y(y);
  if (low < 0) out += line(left, y.at(0), right, y.at(0), "reference");
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::string path, marks;
    for (const auto& [at, value] : series[i].points) {
      path += fmt::format("{:.1f},{:.1f} ", x.at(at), y.at(value));
      marks += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" class=\"hover\"><title>{}, after "
          "{:.0f}%: {}</title></circle>",
          x.at(at), y.at(value), escape_html(series[i].name), 100 * at, tidy_number(value));
    }
    out += fmt::format("<polyline points=\"{}\" class=\"curve s{}\"/>{}", path, i % 6, marks);
  }
  return out + draw_x(x, bottom, x_label, true) + "</svg>";
}

std::string scatter_plot(std::span<const ScatterPoint> points, std::string_view x_label,
                         std::string_view y_label) {
  if (points.empty()) return "<p class=\"empty\">Nothing was tried.</p>";
  constexpr double bottom = 292;
  const auto [x_low, x_high] = std::ranges::minmax(points, {}, &ScatterPoint::x);
  const auto [y_low, y_high] = std::ranges::minmax(points, {}, &ScatterPoint::y);
  const Axis y = make_axis(y_low.y, y_high.y, 5, bottom, top);
  const Axis x = make_axis(x_low.x, x_high.x, 8, left + 8, right);
  std::string out = open_svg(336, y_label) + draw_y(y) + text_at(left, 10, "label", y_label);
  for (const ScatterPoint& point : points)
    out += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" class=\"{}\" "
        "style=\"opacity:{:.2f}\"><title>{}</title></circle>",
        x.at(point.x), y.at(point.y), point.best ? 9 : 6, point.best ? "dot best" : "dot",
        0.2 + 0.8 * std::clamp(point.value, 0.0, 1.0), escape_html(point.tip));
  return out + draw_x(x, bottom, x_label, false) + "</svg>";
}

}  // namespace parlor::play
