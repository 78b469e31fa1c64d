package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.engine.PluginSelectionException;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * Prints a mistake in the configuration instead of a stack trace. First in order, because Boot has analysers for wrapping
 * exceptions.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LatchkeyFailureAnalyzer implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        FailureAnalysis found = null;
        for (Throwable each = failure; each != null && found == null; each = each.getCause()) {
            found = analysisOf(each);
        }
        return found;
    }

    private static @Nullable FailureAnalysis analysisOf(Throwable cause) {
        if (cause instanceof LatchkeyConfigurationException mistake) {
            return new FailureAnalysis(mistake.getMessage(), mistake.action(), mistake);
        }
        if (cause instanceof PluginConfigException mistake) {
            // Without an action: the message names the property and the right form.
            return new FailureAnalysis("A plugin cannot start: " + mistake.getMessage(), null, mistake);
        }
        if (cause instanceof PluginSelectionException mistake) {
            return new FailureAnalysis(
                    "The auth plugins that the configuration asks for cannot be had:\n  - "
                            + String.join("\n  - ", mistake.mistakes()),
                    "Correct latchkey.plugins and the settings under latchkey.plugin.<name>, or add the jar that holds the plugin.",
                    mistake);
        }
        if (cause instanceof BindException unbound && isOfLimits(unbound.getTarget())) {
            return limitThatCannotBe(unbound);
        }
        String missing = String.valueOf(cause.getMessage());
        return cause instanceof NoClassDefFoundError && missing.startsWith("org/bouncycastle/")
                ? new FailureAnalysis(
                        "A password encoder for Argon2 or scrypt needs Bouncy Castle, and it is not on the class path: no "
                                + missing.replace('/', '.'),
                        "Add the dependency org.bouncycastle:bcprov-jdk18on, or use another encoder.",
                        cause)
                : null;
    }

    private static boolean isOfLimits(Bindable<?> target) {
        ResolvableType type = target.getType();
        return type.resolve() == LimitWindow.class || type.getGeneric().resolve() == LimitWindow.class;
    }

    /** A window is a record of the guard, and its messages know no property. */
    private static @Nullable FailureAnalysis limitThatCannotBe(BindException cause) {
        Throwable reason = NestedExceptionUtils.getMostSpecificCause(cause);
        if (reason instanceof UnboundConfigurationPropertiesException) {
            return null; // Boot names the key.
        }
        ConfigurationPropertyName name = cause.getName();
        ConfigurationPropertyName list = name.isLastElementIndexed() ? name.getParent() : name;
        String rule = reason instanceof IllegalArgumentException ? reason.getMessage() : "A limit needs tokens and per";
        return new FailureAnalysis(
                name + ": " + rule, "Write for example " + list + "[0].tokens=5 and " + list + "[0].per=5m.", cause);
    }
}
