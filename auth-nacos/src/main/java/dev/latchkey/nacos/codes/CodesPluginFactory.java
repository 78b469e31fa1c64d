package dev.latchkey.nacos.codes;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.PluginConfig;
import java.time.InstantSource;

/** Makes the second step from its one setting, the file of secrets. */
public final class CodesPluginFactory implements AuthPluginFactory {

    private static final String FILE = "file";

    /** Creates the factory; nothing is read before {@link #create}. */
    public CodesPluginFactory() {}

    @Override
    public String type() {
        return "codes";
    }

    @Override
    public AuthPlugin create(String name, PluginConfig config) {
        SecretsFile file = SecretsFile.at(config.path(FILE).orElseThrow(config.missing(FILE)));
        try {
            SecretsFile.Secrets unused = file.secrets();
            return new CodesStep(name, file, InstantSource.system());
        } catch (SecretsFile.UnreadableException e) {
            throw config.wrong(FILE, "a readable file: " + e.getMessage());
        }
    }
}
