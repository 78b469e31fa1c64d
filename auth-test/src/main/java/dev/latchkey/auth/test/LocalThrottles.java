package dev.latchkey.auth.test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Makes each shared throttle of the service a throttle of the test's process. A test has neither the shared store nor
 * its key.
 *
 * <p>The property of a throttle contains the throttle's name, so {@link AutoConfigureLatchkeyTest} cannot list the
 * properties.
 */
record LocalThrottles() implements ContextCustomizer {

    private static final String THROTTLES = "latchkey.throttle";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration test) {
        ConfigurableEnvironment environment = context.getEnvironment();
        Map<String, Object> local = new HashMap<>();
        Binder.get(environment)
                .bind(THROTTLES, Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of())
                .keySet()
                .forEach(name -> local.put(THROTTLES + "." + name + ".shared", false));
        environment.getPropertySources().addFirst(new MapPropertySource("latchkeyLocalThrottles", local));
    }

    static final class Factory implements ContextCustomizerFactory {

        @Override
        public @Nullable ContextCustomizer createContextCustomizer(
                Class<?> test, List<ContextConfigurationAttributes> configurations) {
            return TestContextAnnotationUtils.hasAnnotation(test, AutoConfigureLatchkeyTest.class)
                    ? new LocalThrottles()
                    : null;
        }
    }
}
