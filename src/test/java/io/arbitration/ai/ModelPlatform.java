package io.arbitration.ai;

import io.arbitration.RunningPlatform;
import io.arbitration.SharedInArea;
import io.arbitration.TestFolders;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A platform with a model, which serves all tests of an area that need one: each says first what the model does. */
public record ModelPlatform(ModelServer model, RunningPlatform platform, Path folder) {

    private static ModelPlatform shared;

    /** Started at first use and stopped when a class of another area begins. */
    public static synchronized ModelPlatform shared() {
        if (shared == null) {
            Path folder = TestFolders.create("data-model-");
            ModelServer model = new ModelServer();
            Map<String, String> settings = new HashMap<>(model.settings());
            settings.putAll(Map.of("ACP_AI_CONTEXT_TOKENS", "8192", "ACP_AI_ANSWER_TOKENS", "1024", "ACP_AI_EXCHANGE_SECONDS", "6",
                    "ACP_AI_BREAK_SECONDS", "4", "ACP_AI_AWARDS_AT_ONCE", "2", "ACP_AI_OBJECT_BYTES_MAX", "20000000", "ACP_AI_ANALYSES_AT_ONCE", "4",
                    "ACP_AI_PAGES_MAX", "20"));
            settings.put("ACP_AI_IMAGES", "false");
            shared = new ModelPlatform(model, RunningPlatform.start(folder, settings), folder);
            SharedInArea.closeAfter(Set.of("ai", "command"), ModelPlatform::close);
        }
        return shared;
    }

    private static synchronized void close() {
        shared.platform.close();
        shared.model.close();
        shared = null;
    }
}
