package dev.latchkey.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.elk.alg.layered.LayeredLayoutProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.math.ElkPadding;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.options.EdgeRouting;
import org.eclipse.elk.core.util.BasicProgressMonitor;
import org.eclipse.elk.graph.ElkEdge;
import org.eclipse.elk.graph.ElkEdgeSection;
import org.eclipse.elk.graph.ElkLabel;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.util.ElkGraphUtil;

/**
 * Draws a {@link Diagram} as SVG. The Eclipse Layout Kernel places boxes and arrows. The colours come from the site's
 * style sheet.
 *
 * <p>Widths are estimated from the number of characters: fonts of the building machine would make each site different.
 */
final class DiagramSvg {

    private static final double CHARACTER = 7.8;
    private static final double LINE = 18;
    private static final double BORDER = 10;
    private static final int LONGEST_LINE = 20;

    static {
        LayoutMetaDataService.getInstance(); // registers the types of the kernel's properties
    }

    private DiagramSvg() {}

    static String of(Diagram diagram) {
        ElkNode graph = ElkGraphUtil.createGraph();
        graph.setProperty(LayeredOptions.DIRECTION, diagram.isDown() ? Direction.DOWN : Direction.RIGHT);
        graph.setProperty(LayeredOptions.EDGE_ROUTING, EdgeRouting.ORTHOGONAL);
        graph.setProperty(LayeredOptions.PADDING, new ElkPadding(4));
        graph.setProperty(LayeredOptions.RANDOM_SEED, 1);
        graph.setProperty(LayeredOptions.SPACING_NODE_NODE, 20.0);
        graph.setProperty(LayeredOptions.SPACING_NODE_NODE_BETWEEN_LAYERS, 36.0);
        Map<String, ElkNode> nodes = new HashMap<>();
        for (Diagram.Box box : diagram.boxes()) {
            nodes.put(box.id(), node(graph, box));
        }
        for (Diagram.Arrow arrow : diagram.arrows()) {
            ElkEdge edge = ElkGraphUtil.createSimpleEdge(nodes.get(arrow.from()), nodes.get(arrow.to()));
            if (!arrow.text().isEmpty()) {
                ElkLabel label = ElkGraphUtil.createLabel(arrow.text(), edge);
                label.setDimensions(arrow.text().length() * CHARACTER, LINE);
            }
        }
        new LayeredLayoutProvider().layout(graph, new BasicProgressMonitor());
        return drawn(graph, diagram);
    }

    private static ElkNode node(ElkNode graph, Diagram.Box box) {
        ElkNode node = ElkGraphUtil.createNode(graph);
        List<String> lines = lines(box.text());
        node.setIdentifier(box.id());
        int longest = lines.stream().mapToInt(String::length).max().orElse(0);
        node.setDimensions(longest * CHARACTER + 2 * BORDER, lines.size() * LINE + BORDER);
        return node;
    }

    /** The text in lines, broken at spaces. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + word.length() >= LONGEST_LINE) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String drawn(ElkNode graph, Diagram diagram) {
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%1$.0f\" height=\"%2$.0f\" viewBox=\"0 0 %1$.0f %2$.0f\">",
                graph.getWidth(),
                graph.getHeight()));
        svg.append("<title>").append(Layout.escape(diagram.inWords())).append("</title>\n");
        svg.append(
                        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\"")
                .append(" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n");
        graph.getContainedEdges().forEach(edge -> svg.append(drawn(edge)));
        int number = 0;
        for (Diagram.Box box : diagram.boxes()) {
            svg.append(drawn(graph.getChildren().get(number++), box));
        }
        return svg.append("</svg>").toString();
    }

    private static String drawn(ElkEdge edge) {
        StringBuilder drawn = new StringBuilder();
        for (ElkEdgeSection section : edge.getSections()) {
            drawn.append(edge.getLabels().isEmpty() ? "<path d=\"M" : "<path class=\"dotted\" d=\"M")
                    .append(point(section.getStartX(), section.getStartY()));
            section.getBendPoints().forEach(bend -> drawn.append(" L").append(point(bend.getX(), bend.getY())));
            drawn.append(" L")
                    .append(point(section.getEndX(), section.getEndY()))
                    .append("\" marker-end=\"url(#tip)\"/>\n");
        }
        for (ElkLabel label : edge.getLabels()) {
            double middle = label.getX() + label.getWidth() / 2;
            drawn.append(text("small", middle, label.getY() + LINE - 5, label.getText()));
        }
        return drawn.toString();
    }

    private static String drawn(ElkNode node, Diagram.Box box) {
        StringBuilder drawn = new StringBuilder(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\"/>\n",
                node.getX(),
                node.getY(),
                node.getWidth(),
                node.getHeight()));
        double y = node.getY() + BORDER / 2;
        for (String line : lines(box.text())) {
            y += LINE;
            drawn.append(text("box", node.getX() + node.getWidth() / 2, y - 5, line));
        }
        return drawn.toString();
    }

    private static String text(String kind, double x, double y, String text) {
        return String.format(
                Locale.ROOT, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", kind, x, y, Layout.escape(text));
    }

    private static String point(double x, double y) {
        return String.format(Locale.ROOT, "%.1f %.1f", x, y);
    }
}
