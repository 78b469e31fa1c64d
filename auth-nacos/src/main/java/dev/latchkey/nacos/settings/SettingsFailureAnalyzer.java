package dev.latchkey.nacos.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Makes the mistake in the configuration the last thing that the server prints: else it stands between some hundred lines of a trace. */
public final class SettingsFailureAnalyzer implements FailureAnalyzer {

    /** The bean that is made of the settings. */
    public static final String BEAN = "latchkeyNacosSettings";

    private static final String ACTION = "Correct it, as a rule in conf/application.properties."
            + " To start without this plugin, write nacos.core.auth.system.type=nacos there.";

    /** For Spring Boot. */
    public SettingsFailureAnalyzer() {}

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof BeanCreationException creation && BEAN.equals(creation.getBeanName())) {
                return mistake(creation);
            }
        }
        return null;
    }

    /** The first of its kind says which property is meant; those behind it may not. */
    private static @Nullable FailureAnalysis mistake(BeanCreationException creation) {
        for (Throwable each = creation.getCause(); each != null; each = each.getCause()) {
            if (each instanceof IllegalArgumentException) {
                return new FailureAnalysis(each.getMessage(), ACTION, each);
            }
        }
        return null;
    }
}
