package dev.latchkey.auth.redis;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resources used so far.
 *
 * @param calls to Redis, without the commands of scripts
 * @param nodeNanos the processor time of this process
 * @param redisNanos the processor time of Redis
 */
record MeasuredUse(long calls, long nodeNanos, long redisNanos) {

    private static final double NANOS = 1e9;

    /**
     * Each call of a portion is an EVALSHA. Bucket4j calls GET, and EVAL for a change. Each EVAL contains another GET,
     * so the number of all GETs is the number of Bucket4j's calls.
     */
    static MeasuredUse of(RedisProcess redis, MeasuredSystem system) {
        String commands = redis.info("commandstats");
        String processor = redis.info("cpu");
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new MeasuredUse(
                system == MeasuredSystem.PORTIONS
                        ? number(commands, "cmdstat_evalsha:calls=(\\d+)")
                        : number(commands, "cmdstat_get:calls=(\\d+)"),
                machine.getProcessCpuTime(),
                seconds(processor, "used_cpu_sys") + seconds(processor, "used_cpu_user"));
    }

    private static long number(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    private static long seconds(String text, String name) {
        Matcher found = Pattern.compile(name + ":([0-9.]+)").matcher(text);
        return found.find() ? (long) (Double.parseDouble(found.group(1)) * NANOS) : 0;
    }

    MeasuredUse since(MeasuredUse before) {
        return new MeasuredUse(calls - before.calls, nodeNanos - before.nodeNanos, redisNanos - before.redisNanos);
    }
}
