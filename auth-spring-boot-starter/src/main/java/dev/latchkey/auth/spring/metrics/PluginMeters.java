package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.guard.PluginBulkhead;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;

/** Running and refused calls of each plugin with a bulkhead. */
final class PluginMeters implements MeterBinder {

    static final String RUNNING = "latchkey.plugin.running";
    static final String MAXIMUM = "latchkey.plugin.running.max";
    static final String REFUSED = "latchkey.plugin.refused";

    private final List<PluginBulkhead> plugins;

    PluginMeters(List<PluginBulkhead> plugins) {
        this.plugins = List.copyOf(plugins);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (PluginBulkhead plugin : plugins) {
            Tags tags = Tags.of("plugin", plugin.plugin());
            Gauge.builder(RUNNING, plugin, PluginBulkhead::running).tags(tags).register(registry);
            Gauge.builder(MAXIMUM, plugin, PluginBulkhead::most).tags(tags).register(registry);
            FunctionCounter.builder(REFUSED, plugin, PluginBulkhead::refused)
                    .tags(tags)
                    .register(registry);
        }
    }
}
