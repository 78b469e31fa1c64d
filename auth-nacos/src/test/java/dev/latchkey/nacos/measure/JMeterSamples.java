package dev.latchkey.nacos.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the samples that JMeter writes as CSV. */
final class JMeterSamples {

    private JMeterSamples() {}

    /** @param lines of JMeter's CSV, with a header */
    static Map<String, Load> loads(int threads, List<String> lines) {
        List<String> header = List.of(lines.get(0).split(",", -1));
        int begin = header.indexOf("timeStamp");
        int elapsed = header.indexOf("elapsed");
        int label = header.indexOf("label");
        int success = header.indexOf("success");
        Map<String, List<Sample>> all = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            all.computeIfAbsent(cells[label], key -> new ArrayList<>())
                    .add(new Sample(
                            Long.parseLong(cells[begin]),
                            Long.parseLong(cells[elapsed]),
                            Boolean.parseBoolean(cells[success])));
        }
        Map<String, Load> loads = new TreeMap<>();
        all.forEach((key, samples) -> loads.put(key, load(threads, samples)));
        return loads;
    }

    private record Sample(long begin, long millis, boolean right) {}

    private static Load load(int threads, List<Sample> samples) {
        long begin = samples.stream().mapToLong(Sample::begin).min().orElse(0);
        long end = samples.stream()
                .mapToLong(sample -> sample.begin() + sample.millis())
                .max()
                .orElse(0);
        List<Double> right = samples.stream()
                .filter(Sample::right)
                .map(sample -> (double) sample.millis())
                .sorted()
                .toList();
        double seconds = Math.max(1, end - begin) / 1e3;
        return new Load(threads, right.size() / seconds, right, samples.size() - right.size());
    }
}
