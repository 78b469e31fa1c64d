package dev.latchkey.examples.apikey;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.PluginConfig;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Makes the {@link ApiKeyPlugin} from its settings: {@code file}, which is required, and {@code header}, which is
 * {@value #DEFAULT_HEADER} where it is not set.
 */
public final class ApiKeyPluginFactory implements AuthPluginFactory {

    static final String TYPE = "api-key";
    static final String DEFAULT_HEADER = "X-API-Key";

    /** A field name is a token: RFC 9110 sections 5.1 and 5.6.2. */
    private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

    /** For {@link java.util.ServiceLoader}. */
    public ApiKeyPluginFactory() {}

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public AuthPlugin create(String name, PluginConfig config) {
        Path file = config.path("file").orElseThrow(config.missing("file"));
        String header = config.text("header").orElse(DEFAULT_HEADER);
        if (!FIELD_NAME.matcher(header).matches()) {
            throw config.wrong("header", "the name of a header field, such as " + DEFAULT_HEADER);
        }
        return new ApiKeyPlugin(name, ApiKeyFile.open(file), header);
    }
}
