package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.factory.AuthPluginFactory;
import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Registers the plugins of {@link ServiceLoader} for a native image, from the class path of the build. */
final class PluginRuntimeHints implements RuntimeHintsRegistrar {

    private static final Logger LOG = LoggerFactory.getLogger(PluginRuntimeHints.class);

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("META-INF/services/" + AuthPluginFactory.class.getName());
        Iterator<ServiceLoader.Provider<AuthPluginFactory>> providers =
                ServiceLoader.load(AuthPluginFactory.class, classLoader).stream()
                        .iterator();
        while (true) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                hints.reflection().registerType(providers.next().type(), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
            } catch (ServiceConfigurationError e) {
                LOG.warn("An auth plugin cannot be loaded and is left out: {}", e.getMessage());
            }
        }
    }
}
