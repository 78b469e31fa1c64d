package dev.latchkey.nacos.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Makes the mistake in the configuration the last thing that the server prints: else it stands between some hundred lines of a trace. */
public final class SettingsFailureAnalyzer implements FailureAnalyzer {

    /** The bean that is made of the settings. */
    public static final String BEAN = "latchkeyNacosSettings";

    /** The default plugin's, which is made before the settings are read, and does not say which property its key is from. */
    private static final String TOKENS_OF_DEFAULT = "tokenManager";

    private static final String CORRECT = "Correct it, as a rule in conf/application.properties."
            + " To start without this plugin, write nacos.core.auth.system.type=nacos there.";

    private static final String WRITE_KEY = "Write there what `openssl rand -base64 48` prints.";

    /** For Spring Boot. */
    public SettingsFailureAnalyzer() {}

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (!(each instanceof BeanCreationException creation)) {
                continue;
            }
            if (BEAN.equals(creation.getBeanName())) {
                return mistake(creation, "", CORRECT);
            }
            if (TOKENS_OF_DEFAULT.equals(creation.getBeanName())) {
                return mistake(creation, SettingsReader.SECRET + ": ", WRITE_KEY);
            }
        }
        return null;
    }

    /** The first of its kind says most; those behind it are about parts. */
    private static @Nullable FailureAnalysis mistake(BeanCreationException creation, String subject, String action) {
        for (Throwable each = creation.getCause(); each != null; each = each.getCause()) {
            if (each instanceof IllegalArgumentException) {
                return new FailureAnalysis(subject + each.getMessage(), action, each);
            }
        }
        return null;
    }
}
