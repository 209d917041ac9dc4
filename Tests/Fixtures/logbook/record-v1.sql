PRAGMA application_id = 1347571028;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1');
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  study_id TEXT NOT NULL,
  person TEXT,
  device TEXT NOT NULL,
  phase TEXT,
  type TEXT NOT NULL,
  prompt_id TEXT,
  ring_no INTEGER,
  alarm_id TEXT,
  alarm_version INTEGER,
  tone_sha256 TEXT,
  actor_role TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  source TEXT NOT NULL,
  wall_utc_ms INTEGER NOT NULL,
  tz_name TEXT NOT NULL,
  utc_offset_s INTEGER NOT NULL,
  tzdata_version TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  boottime_ns INTEGER NOT NULL,
  clock_state TEXT NOT NULL,
  clock_error_ms INTEGER,
  payload TEXT NOT NULL,
  payload_digest TEXT,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO events VALUES(1,'80021590-ff0b-4dc3-a53c-36d76cec99e0',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796000582601,'Europe/Berlin',3600,'2026c','0f1e2d3c',583601000000,'synced',NULL,'{}',NULL,'0000000000000000000000000000000000000000000000000000000000000000','4f317256eb9ebd84854fa50aa88c24244b9bfc84fb727cec79579d2aeb896db9');
INSERT INTO events VALUES(2,'75852712-0fbb-4785-a83d-7e35de181749',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796001040337,'Europe/Berlin',3600,'2026c','0f1e2d3c',1041337000000,'synced',NULL,'{}',NULL,'4f317256eb9ebd84854fa50aa88c24244b9bfc84fb727cec79579d2aeb896db9','0cca56dcd9b99455c993865d1bfd891c91cb95d9c87c6123116b926562896fa4');
INSERT INTO events VALUES(3,'fe8bcf14-4dd4-4c9a-805d-aa4b8acf7674',1,'home',NULL,'D-16q4g4jx',NULL,'tone_added',NULL,NULL,NULL,NULL,'cd1','caretaker','uid:1000','socket',1796001516734,'Europe/Berlin',3600,'2026c','0f1e2d3c',1517734000000,'synced',NULL,'{"duration_ms":2000,"loudness_lufs":-16.5}','e1815fbc561467830f9e755b76452984ead83fb74c581955ef4dda679416fe9c','0cca56dcd9b99455c993865d1bfd891c91cb95d9c87c6123116b926562896fa4','3a2632f09cca8cb92904b6f027f026ddf18502f97a1e7a0914037f2225b5a467');
INSERT INTO events VALUES(4,'8aa2d790-d641-4387-a857-4c6fae6d9b6f',1,'home',NULL,'D-16q4g4jx',NULL,'export_made',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796002047328,'Europe/Berlin',3600,'2026c','0f1e2d3c',2048328000000,'synced',3,'{"profile":"safe_harbor","through_seq":3,"sha256":"00"}',NULL,'3a2632f09cca8cb92904b6f027f026ddf18502f97a1e7a0914037f2225b5a467','4ad154b5a1aa66e072385ee2edc4daa185bfd82355a05131600558d9e8f7dcb1');
INSERT INTO events VALUES(5,'3b4a79a5-17ce-422a-a30b-fdb7a6a634a5',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796002121193,'Europe/Berlin',3600,'2026c','0f1e2d3c',2122193000000,'synced',NULL,'{}',NULL,'4ad154b5a1aa66e072385ee2edc4daa185bfd82355a05131600558d9e8f7dcb1','7f3f0d5479484d9771a0a15a2d76c0ae26d8f733db99e797bc0e3734f37d5998');
INSERT INTO events VALUES(6,'f1aa2b57-dad0-4ad0-ae89-af30963784ae',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796002549455,'Europe/Berlin',3600,'2026c','0f1e2d3c',2550455000000,'synced',NULL,'{}',NULL,'7f3f0d5479484d9771a0a15a2d76c0ae26d8f733db99e797bc0e3734f37d5998','bdcc05ac5134e1188e29bdbb9ac1a9cfbeac82abf17af17a036cde56c12937f9');
INSERT INTO events VALUES(7,'9c442a5c-3c97-4714-8d8f-54d10efdf17e',1,'home',NULL,'D-16q4g4jx',NULL,'audio_fallback',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796003040275,'Europe/Berlin',3600,'2026c','0f1e2d3c',3041275000000,'synced',3,'{}','0f1b4a59955a150a38999a88233610c5a6897f600f099f4c512407f945aa73a2','bdcc05ac5134e1188e29bdbb9ac1a9cfbeac82abf17af17a036cde56c12937f9','f7a209d338481873b9a18c5b8b7f3e2957433b7e52212440c97730c446d4fb91');
INSERT INTO events VALUES(8,'ac06f33e-6310-441f-9fb9-aad1c5057349',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796003465182,'Europe/Berlin',3600,'2026c','0f1e2d3c',3466182000000,'synced',NULL,'{}',NULL,'f7a209d338481873b9a18c5b8b7f3e2957433b7e52212440c97730c446d4fb91','f1833d58ee658a9e5c78f77277bec2f8686d8312fc9cf3d89ef4ec18074d8370');
INSERT INTO events VALUES(9,'f7b677c1-7d40-430c-b571-4a86a71cf983',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796003986527,'Europe/Berlin',3600,'2026c','0f1e2d3c',3987527000000,'synced',3,'{}',NULL,'f1833d58ee658a9e5c78f77277bec2f8686d8312fc9cf3d89ef4ec18074d8370','d74893880c2f5adcbacb6ae1d4fc156e4de0441c065e7d66472df87023f16adf');
INSERT INTO events VALUES(10,'abf72d0d-efae-49b6-a7cd-5b444516330b',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796004522890,'Europe/Berlin',3600,'2026c','0f1e2d3c',4523890000000,'synced',3,'{}',NULL,'d74893880c2f5adcbacb6ae1d4fc156e4de0441c065e7d66472df87023f16adf','561c7725dcac1c8510379497b166def959de3a817826a83cf47bd0e07dd0dc38');
INSERT INTO events VALUES(11,'8a770919-e867-4cff-84d0-c5120bd70c99',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796004718300,'Europe/Berlin',3600,'2026c','0f1e2d3c',4719300000000,'synced',3,'{}',NULL,'561c7725dcac1c8510379497b166def959de3a817826a83cf47bd0e07dd0dc38','dcee1a8d5d7ff4e7dfe83497821271db9356c223992af25216a8faa127a75da2');
INSERT INTO events VALUES(12,'ba8907c9-6719-4b96-ad2c-075a68e2ac65',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796005082529,'Europe/Berlin',3600,'2026c','0f1e2d3c',5083529000000,'synced',3,'{}',NULL,'dcee1a8d5d7ff4e7dfe83497821271db9356c223992af25216a8faa127a75da2','a6628df3c26e815d0659cd091526c48f7ace0f6f8b23843aaebcc5e98dbe7f6d');
INSERT INTO events VALUES(13,'1ce0dc48-2f6f-4170-97fc-f32e4e82d640',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796005607898,'Europe/Berlin',3600,'2026c','0f1e2d3c',5608898000000,'synced',3,'{}',NULL,'a6628df3c26e815d0659cd091526c48f7ace0f6f8b23843aaebcc5e98dbe7f6d','81c74b4e4b0dd793d0d5f457e002dfe604a160fd4042b9a45206c4cf0a835dce');
INSERT INTO events VALUES(14,'0cfffe56-222e-4e87-b5e0-4b5e44022e8b',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796005928337,'Europe/Berlin',3600,'2026c','0f1e2d3c',5929337000000,'synced',3,'{}',NULL,'81c74b4e4b0dd793d0d5f457e002dfe604a160fd4042b9a45206c4cf0a835dce','0eef6da877a535577e0c2661c6e679da25144f4381b7aa6f9e58d47e0bdbebb7');
INSERT INTO events VALUES(15,'862c7e60-49c7-40dc-8729-1e88403c4bb5',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'alarm_created',NULL,NULL,'k3v9zz2',1,NULL,'caretaker','uid:1000','socket',1796005941546,'Europe/Berlin',3600,'2026c','0f1e2d3c',5942546000000,'synced',NULL,'{"person":"P-1yma30cq","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','37085ef179c726d63d49a12d380dd1eadd810c087a3b6ffe3dedda863a1ce5c3','0eef6da877a535577e0c2661c6e679da25144f4381b7aa6f9e58d47e0bdbebb7','c68327b78dd13c8f9a709d113718b7b0b6378548d62a22d8ffa32edfe597c7a2');
INSERT INTO events VALUES(16,'63811059-bf1f-423c-b2ff-8786380dffa7',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796006435547,'Europe/Berlin',3600,'2026c','0f1e2d3c',6436547000000,'synced',NULL,'{}',NULL,'c68327b78dd13c8f9a709d113718b7b0b6378548d62a22d8ffa32edfe597c7a2','6a232f0932b958b0d421af4648d633f5193bc983727d48588579e51a23008ba9');
INSERT INTO events VALUES(17,'8160c69f-01d1-40de-b87e-c812cd6aded6',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'planned','k3v9zz2@2026-11-30T03:43:35~2',NULL,'k3v9zz2',1,NULL,'caretaker','uid:1000','socket',1796006809938,'Europe/Berlin',3600,'2026c','0f1e2d3c',6810938000000,'synced',3,'{"due_ms":1796006615000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'6a232f0932b958b0d421af4648d633f5193bc983727d48588579e51a23008ba9','84a44d72de65befc3fcf3df4d06f45b15da248dc7dd13dc31a26008e9f972f26');
INSERT INTO events VALUES(18,'5e68e918-610e-4e53-969f-4d30eaf9bf28',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'due','k3v9zz2@2026-11-30T03:43:35~2',NULL,'k3v9zz2',1,NULL,'caretaker','uid:1000','socket',1796007199688,'Europe/Berlin',3600,'2026c','0f1e2d3c',7200688000000,'synced',NULL,'{"late_ms":12}',NULL,'84a44d72de65befc3fcf3df4d06f45b15da248dc7dd13dc31a26008e9f972f26','1d5eba1dcd37132924f5f8489c93f93d7676b777ac67595b2026d054fabd7071');
INSERT INTO events VALUES(19,'73303721-3230-49e4-bad5-ed610410a6e9',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'planned','k3v9zz2@2026-11-30T03:57:19',NULL,'k3v9zz2',1,NULL,'caretaker','uid:1000','socket',1796007610729,'Europe/Berlin',3600,'2026c','0f1e2d3c',7611729000000,'synced',NULL,'{"due_ms":1796007439000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'1d5eba1dcd37132924f5f8489c93f93d7676b777ac67595b2026d054fabd7071','777aff8c068abf7bbf79deb02ae2ea81c25fa3342d59bbba779d55edac21fde3');
INSERT INTO events VALUES(20,'f8e86abd-f400-4053-9017-ca29e43caff0',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'alarm_edited',NULL,NULL,'k3v9zz2',2,NULL,'caretaker','uid:1000','socket',1796008053582,'Europe/Berlin',3600,'2026c','0f1e2d3c',8054582000000,'synced',3,'{"person":"P-1yma30cq","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','11a7e67e6e8e91b297a521bb9975b5aac89014b82528e2a89763bfb0af704662','777aff8c068abf7bbf79deb02ae2ea81c25fa3342d59bbba779d55edac21fde3','e6517866fbcba54b3e15c0ace54e5d15eaf707b7c11a4a64afb2c7cfcff7c0ca');
INSERT INTO events VALUES(21,'8f4a5b0c-0b0b-4764-afec-512727877516',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'planned','k3v9zz2@2026-11-30T04:12:33~2',NULL,'k3v9zz2',2,NULL,'caretaker','uid:1000','socket',1796008625316,'Europe/Berlin',3600,'2026c','0f1e2d3c',8626316000000,'synced',3,'{"due_ms":1796008353000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'e6517866fbcba54b3e15c0ace54e5d15eaf707b7c11a4a64afb2c7cfcff7c0ca','f773abc296b0fc186f4ccbef4e41bf59c5a6a6b7ad12eb5448eb2117cccc30cd');
INSERT INTO events VALUES(22,'5262f0bf-b240-45f5-92c8-4d5a925228e0',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'alarm_edited',NULL,NULL,'k3v9zz2',3,NULL,'caretaker','uid:1000','socket',1796009131598,'Europe/Berlin',3600,'2026c','0f1e2d3c',9132598000000,'synced',3,'{"person":"P-1yma30cq","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','00306bd289b2cc3abbc3ffaa04a348be9b58099c10b431d2d1a4f70906d42df2','f773abc296b0fc186f4ccbef4e41bf59c5a6a6b7ad12eb5448eb2117cccc30cd','40cb8fc442609eae39275d24ddd67d14df5bfdf9b9fd7b580d02e007c3809745');
INSERT INTO events VALUES(23,'14cee25c-b0d1-4586-bfb7-75103ab28011',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'due','k3v9zz2@2026-11-30T03:57:19',NULL,'k3v9zz2',3,NULL,'caretaker','uid:1000','socket',1796009530602,'Europe/Berlin',3600,'2026c','0f1e2d3c',9531602000000,'synced',3,'{"late_ms":12}',NULL,'40cb8fc442609eae39275d24ddd67d14df5bfdf9b9fd7b580d02e007c3809745','e4a205280fd694b40288ad10150b1bf174f811921e540a537b22e5d005c3179d');
INSERT INTO events VALUES(24,'bcff1479-811a-4ac0-9bd2-1e40e194b888',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_intent','k3v9zz2@2026-11-30T03:57:19',1,'k3v9zz2',3,NULL,'caretaker','uid:1000','socket',1796010039285,'Europe/Berlin',3600,'2026c','0f1e2d3c',10040285000000,'synced',NULL,'{"index":0,"step":0,"alert":true,"gain_db":-6.0,"due_ms":1796009530602,"intended_ms":1796009530602,"started_ms":null,"deadline_ms":1796009830602}',NULL,'e4a205280fd694b40288ad10150b1bf174f811921e540a537b22e5d005c3179d','62936ff901dd2f3a4ce8d87bcccf5e5d6679ef9e3ab99b693fadf938bcb72d04');
INSERT INTO events VALUES(25,'f3e073ca-b445-4509-ab93-c34189e1a205',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_started','k3v9zz2@2026-11-30T03:57:19',1,'k3v9zz2',3,NULL,'caretaker','uid:1000','socket',1796010270978,'Europe/Berlin',3600,'2026c','0f1e2d3c',10271978000000,'synced',3,'{"level_found":null,"muted":null,"level_set":null}','908affe85f723baba315f522ebfab67f5c702bc9f41188482eac345b47524bea','62936ff901dd2f3a4ce8d87bcccf5e5d6679ef9e3ab99b693fadf938bcb72d04','6ca76b3fd0b2662530b46a9562f2172862a85677ca6b89b7d6c79b56043ba7c8');
INSERT INTO events VALUES(26,'6125eca0-9e3e-4629-8711-a227eb1ec6d2',1,'home',NULL,'D-16q4g4jx',NULL,'service_stop',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796010687218,'Europe/Berlin',3600,'2026c','0f1e2d3c',10688218000000,'synced',3,'{}','1fd12305841e6f3bd3ee1339ffa82003063f43169c5d59beb550153ec6e9be2d','6ca76b3fd0b2662530b46a9562f2172862a85677ca6b89b7d6c79b56043ba7c8','4aa34d1bf004f464adf97345013b77f632364c5ca180fec02084cf5baa2368bf');
INSERT INTO events VALUES(27,'75d528a3-5a15-42f9-b3cf-1d6f4e09ebb0',1,'home',NULL,'D-16q4g4jx',NULL,'boot',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796011269295,'Europe/Berlin',3600,'2026c','0f1e2d3c',11270295000000,'synced',3,'{"previous_boot_id":"0f1e2d3c"}',NULL,'4aa34d1bf004f464adf97345013b77f632364c5ca180fec02084cf5baa2368bf','62b6d76fbd8f4b3a5293755c5fcb7deb96b506c2ec383677a5a736bf78d2911d');
INSERT INTO events VALUES(28,'0e33d26c-a0b6-4c90-8387-666847837878',1,'home',NULL,'D-16q4g4jx',NULL,'heartbeat',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796011325591,'Europe/Berlin',3600,'2026c','0f1e2d3c',11326591000000,'synced',3,'{}',NULL,'62b6d76fbd8f4b3a5293755c5fcb7deb96b506c2ec383677a5a736bf78d2911d','a0ef87612d2d4a957a9fb91ad419e2897b9ce19277000951e640dc5f4056c8b6');
INSERT INTO events VALUES(29,'55fb0fc1-42a3-45ce-9d77-7d2e4d99ea1b',1,'home',NULL,'D-16q4g4jx',NULL,'tone_removed',NULL,NULL,NULL,NULL,'cd1','caretaker','uid:1000','socket',1796011470847,'Europe/Berlin',3600,'2026c','0f1e2d3c',11471847000000,'synced',3,'{"duration_ms":2000,"loudness_lufs":-16.5}','ddd787649ad607740b2b7406ed790e86fe7c997cb5c67158817a6df08d058d5b','a0ef87612d2d4a957a9fb91ad419e2897b9ce19277000951e640dc5f4056c8b6','046f5c58240c46dc521066dac7da647d4e0a280f855e0871b55c797e0f9acb0e');
INSERT INTO events VALUES(30,'d7491e93-7a53-486c-b283-4b68e05c1de3',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'alarm_edited',NULL,NULL,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796011498913,'Europe/Berlin',3600,'2026c','0f1e2d3c',11499913000000,'synced',3,'{"person":"P-1yma30cq","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','314c1b9c19bf445222d6a8cc4e7d340641ec5dd240bd2c633dc2dc22f0c77097','046f5c58240c46dc521066dac7da647d4e0a280f855e0871b55c797e0f9acb0e','e6dc35466877013730b4321b366fca81c11114dff7487be51d5ad7cba9ff4858');
INSERT INTO events VALUES(31,'6ef281fe-6db2-4220-9c31-60b579e94d2d',1,'home','P-98renmsn','D-16q4g4jx',NULL,'alarm_created',NULL,NULL,'k3v9zz6',1,NULL,'caretaker','uid:1000','socket',1796011549570,'Europe/Berlin',3600,'2026c','0f1e2d3c',11550570000000,'synced',3,'{"person":"P-98renmsn","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','c022ce99dff1a263d6c0c3fcff7900b60172d5e95fce713150ee391600dd650e','e6dc35466877013730b4321b366fca81c11114dff7487be51d5ad7cba9ff4858','453566243b369a047e27b913a8cd73d8379e57676dcd3a7308daec04a05133a6');
INSERT INTO events VALUES(32,'3ec8f074-7e0b-4b63-8210-28765e0ac818',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_ended','k3v9zz2@2026-11-30T03:57:19',1,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796012093529,'Europe/Berlin',3600,'2026c','0f1e2d3c',12094529000000,'synced',3,'{"frames":48000,"xruns":0,"stopped":false}','b5822bcd30a85dd46c128132f86f285f898e4e5bb46c42fbc6566cc04b388b32','453566243b369a047e27b913a8cd73d8379e57676dcd3a7308daec04a05133a6','359ac22e216659f21dab70ce6bb127a1d39e96b2642aae1e657c1b1c235856ae');
INSERT INTO events VALUES(33,'4b29d172-b1a4-40f3-ae86-73e143ffd098',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_intent','k3v9zz2@2026-11-30T03:57:19',2,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796012244736,'Europe/Berlin',3600,'2026c','0f1e2d3c',12245736000000,'synced',NULL,'{"index":1,"step":0,"alert":true,"gain_db":-6.0,"due_ms":1796012093529,"intended_ms":1796012093529,"started_ms":null,"deadline_ms":1796012393529}',NULL,'359ac22e216659f21dab70ce6bb127a1d39e96b2642aae1e657c1b1c235856ae','1b1099d3f772b3c6d07d5ed5bae08fc36dbbe94d13c2b399c7abdd34ddcd50eb');
INSERT INTO events VALUES(34,'90130db3-ff91-43d8-b224-a59ea97b0700',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_failed','k3v9zz2@2026-11-30T03:57:19',2,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796012550742,'Europe/Berlin',3600,'2026c','0f1e2d3c',12551742000000,'synced',3,'{}','df4579f9c3420a17d0bfd74b8d3452ed4b79622b33809f361d5352e9b4344f63','1b1099d3f772b3c6d07d5ed5bae08fc36dbbe94d13c2b399c7abdd34ddcd50eb','bcf7c84b9c624444f3b3642d5d1cb814bc56f17a7ad536dc2c64acd5ec4ac368');
INSERT INTO events VALUES(35,'53ec5151-405d-4f96-9bae-e4bd3fe53daa',1,'home',NULL,'D-16q4g4jx',NULL,'tone_added',NULL,NULL,NULL,NULL,'cd7','caretaker','uid:1000','socket',1796012723970,'Europe/Berlin',3600,'2026c','0f1e2d3c',12724970000000,'synced',NULL,'{"duration_ms":2000,"loudness_lufs":-16.5}','d186e96f0c360a1bdd33a113be1945b1717b38e455721e7a9f1619a5534197a7','bcf7c84b9c624444f3b3642d5d1cb814bc56f17a7ad536dc2c64acd5ec4ac368','9133e09dbdb3c4788c95f1d2b80a915a8c4941d0b9771a1b1c4c3cff09ab9cd8');
INSERT INTO events VALUES(36,'0b2dce00-f35e-44fd-af3e-c4f6bbbfe9a3',1,'home',NULL,'D-16q4g4jx',NULL,'tone_removed',NULL,NULL,NULL,NULL,'cd7','caretaker','uid:1000','socket',1796012819989,'Europe/Berlin',3600,'2026c','0f1e2d3c',12820989000000,'synced',3,'{"duration_ms":2000,"loudness_lufs":-16.5}','7cc9a5ad524cd264a1719ab28640c74ffcce2ef7932d1a7de5b11d000d8c5ab3','9133e09dbdb3c4788c95f1d2b80a915a8c4941d0b9771a1b1c4c3cff09ab9cd8','c72a005d6e0aa91090f5ab66449087fc05da1b8a45a28914a353aa48f2230dc1');
INSERT INTO events VALUES(37,'7b51eb79-2a02-46e8-9a7c-48a89c17db62',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'alarm_created',NULL,NULL,'k3v9zz8',1,NULL,'caretaker','uid:1000','socket',1796012916314,'Europe/Berlin',3600,'2026c','0f1e2d3c',12917314000000,'synced',NULL,'{"person":"P-1yma30cq","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','de4365cdac701b8d074d47a865d214001acf21a3684746890d460799eeb3a35d','c72a005d6e0aa91090f5ab66449087fc05da1b8a45a28914a353aa48f2230dc1','44085f634a3b92ad0877e4bd373b230528e8e45195614372f88dec4e47bef43f');
INSERT INTO events VALUES(38,'a2ec975f-f40a-4398-979f-9acb5266592f',1,'home',NULL,'D-16q4g4jx',NULL,'audio_lost',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796013128204,'Europe/Berlin',3600,'2026c','0f1e2d3c',13129204000000,'synced',NULL,'{}','a8b34720258f45d61a25c2997b4b1f6a852cc466986e52ccc46083b471fd324d','44085f634a3b92ad0877e4bd373b230528e8e45195614372f88dec4e47bef43f','db976dce0417cf8e2f239998fa4b071b325c0aa7ef07a7ee53e55541ca87f7d4');
INSERT INTO events VALUES(39,'123a7684-90c5-4319-af69-4adf901f0dfd',1,'home','P-98renmsn','D-16q4g4jx',NULL,'planned','k3v9zz6@2026-11-30T05:41:08~2',NULL,'k3v9zz6',1,NULL,'caretaker','uid:1000','socket',1796013165810,'Europe/Berlin',3600,'2026c','0f1e2d3c',13166810000000,'synced',NULL,'{"due_ms":1796013668000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'db976dce0417cf8e2f239998fa4b071b325c0aa7ef07a7ee53e55541ca87f7d4','a99850a14de857038e13b8a1556039e9aa5546be65b8b45ec7c6e1a6cafcfe3d');
INSERT INTO events VALUES(40,'c44c9e66-65e4-4a67-82a1-09e7bb795179',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'planned','k3v9zz2@2026-11-30T05:42:45',NULL,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796013694190,'Europe/Berlin',3600,'2026c','0f1e2d3c',13695190000000,'synced',3,'{"due_ms":1796013765000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'a99850a14de857038e13b8a1556039e9aa5546be65b8b45ec7c6e1a6cafcfe3d','6949103b1404ed670e779e44c4ef10aec037701f12a039a6354222647b44a5ab');
INSERT INTO events VALUES(41,'de78ff3c-f2e8-4dbd-9f7b-c4b67b585af8',1,'home','P-98renmsn','D-16q4g4jx',NULL,'alarm_edited',NULL,NULL,'k3v9zz6',2,NULL,'caretaker','uid:1000','socket',1796014248949,'Europe/Berlin',3600,'2026c','0f1e2d3c',14249949000000,'synced',3,'{"person":"P-98renmsn","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','71929f011777a69814855f50b4b004f6e1c38c599848e277fa0480ef86644b40','6949103b1404ed670e779e44c4ef10aec037701f12a039a6354222647b44a5ab','51db4982fcf8e31428192c92a3a8129dcdbbc16a2830859fd05d3467a7276317');
INSERT INTO events VALUES(42,'707465da-b999-4d7a-b06b-d2dc08f68237',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'planned','k3v9zz2@2026-11-30T06:01:48~2',NULL,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796014506676,'Europe/Berlin',3600,'2026c','0f1e2d3c',14507676000000,'synced',NULL,'{"due_ms":1796014908000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'51db4982fcf8e31428192c92a3a8129dcdbbc16a2830859fd05d3467a7276317','91b74615d024aea644379ce73fa3a7188b95b6976d2d05ad87a4750822b224d2');
INSERT INTO events VALUES(43,'d36e5b72-0370-4432-9d4d-dbc07c120518',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'due','k3v9zz2@2026-11-30T06:01:48~2',NULL,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796014681883,'Europe/Berlin',3600,'2026c','0f1e2d3c',14682883000000,'synced',3,'{"late_ms":12}',NULL,'91b74615d024aea644379ce73fa3a7188b95b6976d2d05ad87a4750822b224d2','9c65531916700a1809e9515f4397410c193d9eaed85033f6bc3f611a184e9952');
INSERT INTO events VALUES(44,'44cb73fe-1fe5-4465-85d3-bf26425f283d',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_intent','k3v9zz2@2026-11-30T06:01:48~2',1,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796014773924,'Europe/Berlin',3600,'2026c','0f1e2d3c',14774924000000,'synced',3,'{"index":0,"step":0,"alert":true,"gain_db":-6.0,"due_ms":1796014681883,"intended_ms":1796014681883,"started_ms":null,"deadline_ms":1796014981883}',NULL,'9c65531916700a1809e9515f4397410c193d9eaed85033f6bc3f611a184e9952','be7aca1fa8202bbe78376f4f767104eacffa109fca306ee6f1b9dc1f8178d15d');
INSERT INTO events VALUES(45,'966af94f-937e-4c85-b0aa-255d70783596',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_started','k3v9zz2@2026-11-30T06:01:48~2',1,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796014831671,'Europe/Berlin',3600,'2026c','0f1e2d3c',14832671000000,'synced',NULL,'{"level_found":null,"muted":null,"level_set":null}','49c4755709e1477610d4259d24d6c0499e7ebff13e9c48238e761c06fd2affdc','be7aca1fa8202bbe78376f4f767104eacffa109fca306ee6f1b9dc1f8178d15d','3a82516047c48b66a7e198bd4226c402c9f30bbcfc4ca26df9413ede7c12e384');
INSERT INTO events VALUES(46,'406b4215-e332-4214-951a-0337bc51bc75',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'planned','k3v9zz2@2026-11-30T06:12:31',NULL,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796015077910,'Europe/Berlin',3600,'2026c','0f1e2d3c',15078910000000,'synced',NULL,'{"due_ms":1796015551000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'3a82516047c48b66a7e198bd4226c402c9f30bbcfc4ca26df9413ede7c12e384','3c90cfc7aaebd628e05d9043daa5db2ee4f3a05f16b8a94003b70f5aef87adf8');
INSERT INTO events VALUES(47,'d6e2ddcb-e69f-490b-9229-d16e075074a9',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_intent','k3v9zz2@2026-11-30T03:43:35~2',1,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796015668049,'Europe/Berlin',3600,'2026c','0f1e2d3c',15669049000000,'synced',NULL,'{"index":0,"step":0,"alert":true,"gain_db":-6.0,"due_ms":1796015077910,"intended_ms":1796015077910,"started_ms":null,"deadline_ms":1796015377910}',NULL,'3c90cfc7aaebd628e05d9043daa5db2ee4f3a05f16b8a94003b70f5aef87adf8','c9f0a4ecd2e5f0bfb75e6792491330e46b6175251f1c498f5a66c5d190f49a54');
INSERT INTO events VALUES(48,'f2b51836-bb57-4a63-aaa1-53c355fbfea6',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_started','k3v9zz2@2026-11-30T03:43:35~2',1,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796015760776,'Europe/Berlin',3600,'2026c','0f1e2d3c',15761776000000,'synced',NULL,'{"level_found":null,"muted":null,"level_set":null}','2269d687b8c3346e729e5eab14c0b8370028ee765914476890dc287a04dbd17e','c9f0a4ecd2e5f0bfb75e6792491330e46b6175251f1c498f5a66c5d190f49a54','e40925369762c7301355bcd4328d2d6f6764b5b0d9736b43f89f2bffa990827e');
INSERT INTO events VALUES(49,'b3f32aa8-6213-48bd-a3c6-664d0ae92f96',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'due','k3v9zz2@2026-11-30T05:42:45',NULL,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796015812352,'Europe/Berlin',3600,'2026c','0f1e2d3c',15813352000000,'synced',NULL,'{"late_ms":12}',NULL,'e40925369762c7301355bcd4328d2d6f6764b5b0d9736b43f89f2bffa990827e','3cacdde4fb3c6639d4af55dc8c60750a7ba5f7399b70b8d8e1a44d070bb781b3');
INSERT INTO events VALUES(50,'e469b0b9-3eb7-4d3f-bd9f-9eaed8a4c7d2',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'alarm_created',NULL,NULL,'k3v9zz13',1,NULL,'caretaker','uid:1000','socket',1796016308685,'Europe/Berlin',3600,'2026c','0f1e2d3c',16309685000000,'synced',NULL,'{"person":"P-1yma30cq","schedule":{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20301231T235959Z","start":"2026-11-30T08:46:40"},"zone":"Europe/Berlin","rings":5,"spacing_s":60,"gains_db":[-12.0,-9.0,-6.0,-3.0,0.0],"late_window_s":1800,"delay_s":300,"delay_limit":3}','3b9c91654a5d1017c6a9e78d1f72029ee54e479c683453836c3058e750eefc20','3cacdde4fb3c6639d4af55dc8c60750a7ba5f7399b70b8d8e1a44d070bb781b3','1488d1cabc85e08b694211df93ecd98190d0f39194cc3b2f5a122e2d3dc79e38');
INSERT INTO events VALUES(51,'7f625394-0dbb-4b8b-8448-3be3c5fad2d4',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'due','k3v9zz2@2026-11-30T04:12:33~2',NULL,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796016316685,'Europe/Berlin',3600,'2026c','0f1e2d3c',16317685000000,'synced',NULL,'{"late_ms":12}',NULL,'1488d1cabc85e08b694211df93ecd98190d0f39194cc3b2f5a122e2d3dc79e38','ce7b48efb97b74a1709c5b29e06d54dc33a46f0a61fbbf88a2ce1e4a59365a50');
INSERT INTO events VALUES(52,'b14e55af-4d18-4082-86fc-d674a0b48137',1,'home',NULL,'D-16q4g4jx',NULL,'audio_fallback',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796016348235,'Europe/Berlin',3600,'2026c','0f1e2d3c',16349235000000,'synced',3,'{}','9bb2dc1005bb037176ccc0488d1185f1fc72d938aacacca0550687aeb6aed90b','ce7b48efb97b74a1709c5b29e06d54dc33a46f0a61fbbf88a2ce1e4a59365a50','1117e7b8616bb4e8ee36b4015e78c83df50c4d1801dbfcc6867ef1dd2070b100');
INSERT INTO events VALUES(53,'964d5c95-f92c-4949-8d11-b4b4e17f3ee2',1,'home',NULL,'D-16q4g4jx',NULL,'audio_lost',NULL,NULL,NULL,NULL,NULL,'caretaker','uid:1000','socket',1796016639911,'Europe/Berlin',3600,'2026c','0f1e2d3c',16640911000000,'synced',3,'{}','67c1891e6b02603112ca2169c284271ccd78581261c84f87431cf441367a5a9f','1117e7b8616bb4e8ee36b4015e78c83df50c4d1801dbfcc6867ef1dd2070b100','d3447c7d6e0981db251245e1638d7d788b120551263c4abdf4d8ae3d87dc723b');
INSERT INTO events VALUES(54,'a9db2d6a-43da-4c4b-b41d-0db1ebdef728',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'planned','k3v9zz8@2026-11-30T06:44:39',NULL,'k3v9zz8',1,NULL,'caretaker','uid:1000','socket',1796016723178,'Europe/Berlin',3600,'2026c','0f1e2d3c',16724178000000,'synced',3,'{"due_ms":1796017479000,"zone":"Europe/Berlin","utc_offset_s":3600,"phase":{"name":"planned"},"rings_intended":0,"rings_sounded":0,"rings_failed":0,"delays":0,"last_sounded_ms":null}',NULL,'d3447c7d6e0981db251245e1638d7d788b120551263c4abdf4d8ae3d87dc723b','90d36b9b0598386c4ad0e6d17e3528433a55d96295a79c8248b1497b517b6dbf');
INSERT INTO events VALUES(55,'242607a6-8289-4cef-9053-11d06dc3b800',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_intent','k3v9zz2@2026-11-30T05:42:45',1,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796016872784,'Europe/Berlin',3600,'2026c','0f1e2d3c',16873784000000,'synced',3,'{"index":0,"step":0,"alert":true,"gain_db":-6.0,"due_ms":1796016723178,"intended_ms":1796016723178,"started_ms":null,"deadline_ms":1796017023178}',NULL,'90d36b9b0598386c4ad0e6d17e3528433a55d96295a79c8248b1497b517b6dbf','006f31cba3b637fc64760be0cc07618656d5e2352da66c05947235732743e254');
INSERT INTO events VALUES(56,'cf2d60b4-3eee-45c6-9a61-faa016271d4a',1,'home','P-1yma30cq','D-16q4g4jx',NULL,'ring_started','k3v9zz2@2026-11-30T05:42:45',1,'k3v9zz2',4,NULL,'caretaker','uid:1000','socket',1796017323856,'Europe/Berlin',3600,'2026c','0f1e2d3c',17324856000000,'synced',3,'{"level_found":null,"muted":null,"level_set":null}','d71b6b66eb4e685e71fc6eedbdb003e91e7d238f081f1d2897d97783810a2cf5','006f31cba3b637fc64760be0cc07618656d5e2352da66c05947235732743e254','90bbfb1beb2edfd5c90cfcdf20dddfd464bca0c7348b37e128a9b1147ba49a90');
CREATE TABLE contents (
  seq INTEGER PRIMARY KEY REFERENCES events (seq), salt TEXT NOT NULL, body TEXT NOT NULL
) STRICT;
INSERT INTO contents VALUES(3,'966761748e5c43cb614f560177dc7567','{"name":"pills-1"}');
INSERT INTO contents VALUES(7,'0865ef73371863e24687e96568c4e210','{"from":"pills 11","to":"pills 12","reason":"pills 13"}');
INSERT INTO contents VALUES(15,'189deb96b2a46ad13c135bbe71a127ab','{"label":"pills 17","instructions":"pills 18","phrase":"pills 19","tone":"pills 20"}');
INSERT INTO contents VALUES(20,'7405ba77ef73464de5be4c4cfd8caf21','{"label":"pills 21","instructions":"pills 18","phrase":"pills 19","tone":"pills 20"}');
INSERT INTO contents VALUES(22,'af7acd9a859c679bcc94c6c89e5fcd27','{"label":"pills 22","instructions":"pills 18","phrase":"pills 19","tone":"pills 20"}');
INSERT INTO contents VALUES(25,'620b9e35989a6cb8ac5f323967dca947','{"device":"pills 23"}');
INSERT INTO contents VALUES(26,'a966de0c4d6d8691bb139892d767b91e','{"reason":"pills 25"}');
INSERT INTO contents VALUES(29,'53aa54953596bd9fbe63ca97bb2033dc','{"name":"pills-1"}');
INSERT INTO contents VALUES(30,'397fc52cc2314ba6e16cb01e06958438','{"label":"pills 32","instructions":"pills 18","phrase":"pills 19","tone":"pills 20"}');
INSERT INTO contents VALUES(31,'b10e602e27d8daf079c31138407e25c0','{"label":"pills 33","instructions":"pills 34","phrase":"pills 35","tone":"pills 36"}');
INSERT INTO contents VALUES(32,'40baf3b56d5bf3bca851a9de2d57c9c7','{"device":"pills 37"}');
INSERT INTO contents VALUES(34,'f8013d34d62b0a18814a3ec10a2920db','{"reason":"pills 38"}');
INSERT INTO contents VALUES(35,'51b9c33537f0054f011d1450400173bc','{"name":"pills-7"}');
INSERT INTO contents VALUES(36,'92cb2a78822ec47b254bcfc9e3764176','{"name":"pills-7"}');
INSERT INTO contents VALUES(37,'d6e5530f7a5781076c8f1db215c309d9','{"label":"pills 39","instructions":"pills 40","phrase":"pills 41","tone":"pills 42"}');
INSERT INTO contents VALUES(38,'2644d19da64633265e23721f84fee4a2','{"reason":"pills 43"}');
INSERT INTO contents VALUES(41,'bb5db929cdbe05902242ff50fd9298b1','{"label":"pills 44","instructions":"pills 34","phrase":"pills 35","tone":"pills 36"}');
INSERT INTO contents VALUES(45,'f8cfca12039e8f52ede67459ced9f93d','{"device":"pills 45"}');
INSERT INTO contents VALUES(48,'13a37f169f624209ecde8cc3e02c9d15','{"device":"pills 46"}');
INSERT INTO contents VALUES(50,'15b59ffd21a17c8c8d9608f6b6e316e8','{"label":"pills 47","instructions":"pills 48","phrase":"pills 49","tone":"pills 50"}');
INSERT INTO contents VALUES(52,'96a155bd61da83409f032157b580d13e','{"from":"pills 53","to":"pills 54","reason":"pills 55"}');
INSERT INTO contents VALUES(53,'ec2bf12e9a94edce68ffc423ca82263b','{"reason":"pills 59"}');
INSERT INTO contents VALUES(56,'4053db442b451929ab513b9a0d45e5b8','{"device":"pills 60"}');
CREATE TABLE alarms (
  alarm_id TEXT PRIMARY KEY, version INTEGER NOT NULL, seq INTEGER NOT NULL REFERENCES events,
  is_deleted INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO alarms VALUES('k3v9zz13',1,50,0);
INSERT INTO alarms VALUES('k3v9zz2',4,30,0);
INSERT INTO alarms VALUES('k3v9zz6',2,41,0);
INSERT INTO alarms VALUES('k3v9zz8',1,37,0);
CREATE TABLE prompts (
  prompt_id TEXT PRIMARY KEY,
  alarm_id TEXT NOT NULL,
  nominal_key INTEGER NOT NULL,
  alarm_version INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  tz_name TEXT NOT NULL,
  utc_offset_s INTEGER NOT NULL,
  phase TEXT NOT NULL,
  phase_detail TEXT NOT NULL,
  next_step_ms INTEGER,
  outcome TEXT,
  reason TEXT,
  closed_ms INTEGER,
  rings_intended INTEGER NOT NULL,
  rings_sounded INTEGER NOT NULL,
  rings_failed INTEGER NOT NULL,
  delays INTEGER NOT NULL,
  last_sounded_ms INTEGER,
  also_nominal TEXT NOT NULL,
  course TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO prompts VALUES('k3v9zz2@2026-11-30T03:43:35~2','k3v9zz2',3592020431,1,1796006615000,'Europe/Berlin',3600,'ringing','{"name":"ringing","number":1,"index":0,"step":0,"alert":true,"gain_db":-6.0,"tone_sha256":null,"due_ms":1796015077910,"intended_ms":1796015077910,"started_ms":1796015760776,"deadline_ms":1796015377910}',1796015377910,NULL,NULL,NULL,1,1,0,0,1796015760776,'',NULL);
INSERT INTO prompts VALUES('k3v9zz2@2026-11-30T03:57:19','k3v9zz2',3592022078,1,1796007439000,'Europe/Berlin',3600,'waiting','{"name":"waiting","ring":2,"at_ms":1796012393529}',1796012393529,NULL,NULL,NULL,2,1,1,0,1796010270978,'',NULL);
INSERT INTO prompts VALUES('k3v9zz2@2026-11-30T04:12:33~2','k3v9zz2',3592023907,2,1796008353000,'Europe/Berlin',3600,'waiting','{"name":"waiting","ring":0,"at_ms":1796008353000}',1796008353000,NULL,NULL,NULL,0,0,0,0,NULL,'',NULL);
INSERT INTO prompts VALUES('k3v9zz2@2026-11-30T05:42:45','k3v9zz2',3592034730,4,1796013765000,'Europe/Berlin',3600,'ringing','{"name":"ringing","number":1,"index":0,"step":0,"alert":true,"gain_db":-6.0,"tone_sha256":null,"due_ms":1796016723178,"intended_ms":1796016723178,"started_ms":1796017323856,"deadline_ms":1796017023178}',1796017023178,NULL,NULL,NULL,1,1,0,0,1796017323856,'',NULL);
INSERT INTO prompts VALUES('k3v9zz2@2026-11-30T06:01:48~2','k3v9zz2',3592037017,4,1796014908000,'Europe/Berlin',3600,'ringing','{"name":"ringing","number":1,"index":0,"step":0,"alert":true,"gain_db":-6.0,"tone_sha256":null,"due_ms":1796014681883,"intended_ms":1796014681883,"started_ms":1796014831671,"deadline_ms":1796014981883}',1796014981883,NULL,NULL,NULL,1,1,0,0,1796014831671,'',NULL);
INSERT INTO prompts VALUES('k3v9zz2@2026-11-30T06:12:31','k3v9zz2',3592038302,4,1796015551000,'Europe/Berlin',3600,'planned','{"name":"planned"}',1796015551000,NULL,NULL,NULL,0,0,0,0,NULL,'',NULL);
INSERT INTO prompts VALUES('k3v9zz6@2026-11-30T05:41:08~2','k3v9zz6',3592034537,1,1796013668000,'Europe/Berlin',3600,'planned','{"name":"planned"}',1796013668000,NULL,NULL,NULL,0,0,0,0,NULL,'',NULL);
INSERT INTO prompts VALUES('k3v9zz8@2026-11-30T06:44:39','k3v9zz8',3592042158,1,1796017479000,'Europe/Berlin',3600,'planned','{"name":"planned"}',1796017479000,NULL,NULL,NULL,0,0,0,0,NULL,'',NULL);
CREATE TABLE tones (
  name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, duration_ms INTEGER NOT NULL,
  loudness_lufs REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE receipts (
  number INTEGER PRIMARY KEY AUTOINCREMENT, actor TEXT NOT NULL, key TEXT NOT NULL,
  digest TEXT NOT NULL, status INTEGER NOT NULL, content_type TEXT NOT NULL,
  headers TEXT NOT NULL, body TEXT NOT NULL, at_ms INTEGER NOT NULL, UNIQUE (actor, key)
) STRICT;
CREATE TABLE people (
  person TEXT PRIMARY KEY, pseudonym TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
INSERT INTO people VALUES('patient','P-1yma30cq');
INSERT INTO people VALUES('pills person','P-98renmsn');
CREATE TABLE persons (
  person TEXT PRIMARY KEY, seq INTEGER REFERENCES events, is_removed INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO settings VALUES('device','D-16q4g4jx');
INSERT INTO settings VALUES('export_secret','67ec8e65a18debbe5e5532fbeea293f80bc942ee9086c171b9b501d1d854bb71');
DELETE FROM sqlite_sequence;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER events_in_order BEFORE INSERT ON events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
BEGIN SELECT RAISE(ABORT, 'events are only added at the end'); END;
CREATE INDEX events_by_prompt ON events (prompt_id) WHERE prompt_id IS NOT NULL;
CREATE INDEX alarm_versions ON events (alarm_id, alarm_version)
WHERE type IN ('alarm_created', 'alarm_edited');
CREATE TRIGGER contents_no_update BEFORE UPDATE ON contents
BEGIN SELECT RAISE(ABORT, 'free text is erased, never changed'); END;
CREATE INDEX prompts_by_due ON prompts (due_ms, nominal_key, prompt_id);
CREATE INDEX receipts_by_age ON receipts (at_ms);
COMMIT;
