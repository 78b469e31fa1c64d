package dev.latchkey.benchmarks.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts by time: so many in each bin since whatever the caller begins with. For one thread. */
public final class Bins {

    private final double seconds;
    private final int perSecond;
    private double[] counts = new double[64];
    private int used;

    /** @param seconds the width of a bin; a whole number of them make up a second */
    public Bins(double seconds) {
        this.seconds = seconds;
        this.perSecond = (int) Math.round(1 / seconds);
    }

    public void addAt(double second, double more) {
        int bin = (int) (second / seconds);
        if (bin >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(bin + 1, 2 * counts.length));
        }
        counts[bin] += more;
        used = Math.max(used, bin + 1);
    }

    public int count() {
        return used;
    }

    public double in(int bin) {
        return bin < used ? counts[bin] : 0;
    }

    /** Each whole second. */
    public List<Double> perSecond() {
        List<Double> sums = new ArrayList<>();
        for (int from = 0; from + perSecond <= used; from += perSecond) {
            sums.add(sum(from));
        }
        return sums;
    }

    /** The most in a second, which may begin with any bin. */
    public double mostInASecond() {
        double most = 0;
        for (int from = 0; from < used; from++) {
            most = Math.max(most, sum(from));
        }
        return most;
    }

    private double sum(int from) {
        double sum = 0;
        for (int bin = from; bin < from + perSecond; bin++) {
            sum += in(bin);
        }
        return sum;
    }
}
