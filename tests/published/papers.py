"""The numbers of the papers a second time, typed in another layout than that of published.yaml.

Each block is a table as a few strings; `cells` reads a line of it. A cell is a score, with its deviation where one is
given. What is wrong in one of both files makes the test fail.
"""

import re

# People: tasks SST-2, MNLI, CoNLL03, WikiANN, SQuAD, ReCoRD.
CLUES_TASKS = ("sst2", "mnli", "conll03", "wikiann", "squad", "record")
CLUES_TABLE_4 = {
    0: "83.5 0.6, 64.4 0.6, 85.4 1.8, 82.2 0.4, 70.6 1.0, 94.6 0.5",
    10: "79.8 1.2, 78.1 0.2, 87.7 2.0, 81.4 1.1, 71.9 8.0, 94.1 0.5",
    20: "83.0 0.5, 78.6 1.7, 89.7 0.4, 83.5 0.1, 76.4 0.5, 94.2 0.8",
    30: "83.7 0.6, 69.4 0.8, 87.4 2.1, 82.6 0.4, 73.5 2.0, 91.9 0.2",
}
# At 10, 20, 30 shots and with all data.
CLUES_TABLE_5 = """
BERT-base FT | 46.2 (5.6) / 54.0 (2.8) / 53.6 (5.5) / 98.1 | 37.0 (5.2) / 35.2 (2.7) / 35.4 (3.2) / 81.6
BERT-base PT | 63.9 (10.0) / 76.7 (6.6) / 79.4 (5.6) / 91.9 | 40.4 (1.8) / 42.1 (4.4) / 42.5 (3.2) / 81.0
BERT-large FT | 46.3 (5.5) / 55.5 (3.4) / 55.4 (2.5) / 99.1 | 33.7 (0.4) / 28.2 (14.8) / 33.3 (1.4) / 80.9
BERT-large PT | 63.2 (11.3) / 78.2 (9.9) / 82.7 (4.1) / 91.0 | 41.7 (1.0) / 43.7 (2.1) / 45.3 (2.0) / 81.9
RoBERTa-large FT | 38.4 (21.7) / 52.3 (5.6) / 53.2 (5.6) / 98.6 | 34.3 (2.8) / 33.4 (0.9) / 34.0 (1.1) / 85.5
RoBERTa-large PT | 88.8 (3.9) / 89.0 (1.1) / 90.2 (1.8) / 93.8 | 57.7 (3.6) / 58.6 (2.9) / 61.6 (3.5) / 87.1
DeBERTa-large FT | 43.0 (11.9) / 40.8 (22.6) / 47.7 (9.0) / 100.0 | 27.4 (14.1) / 33.6 (2.5) / 26.7 (11.0) / 87.6
DeBERTa-large PT | 83.4 (5.3) / 87.8 (3.5) / 88.4 (3.3) / 91.9 | 44.5 (8.2) / 60.7 (5.3) / 62.9 (3.1) / 88.1
T5-large FT | 51.2 (1.8) / 53.4 (3.2) / 52.3 (2.9) / 97.6 | 39.8 (3.3) / 37.9 (4.3) / 36.8 (3.8) / 85.9
GPT-3 ICL | 85.9 (3.7) / 92.0 (0.7) / 91.0 (1.6) / - | 33.5 (0.7) / 33.1 (0.3) / 33.2 (0.2) / -
"""
CLUES_TABLE_6 = """
BERT-base FT | 51.3 (0) x 3 / 89.3 | 62.8 (0) x 3 / 88.8 | 46.0 (2.4) / 34.9 (9.0) / 32.6 (5.8) / 76.3 \
| 10.3 (1.8) / 11.7 (2.4) / 13.1 (3.3) / 54.4
BERT-large FT | 51.3 (0) x 3 / 89.8 | 62.8 (0) / 62.6 (0.4) / 62.5 (0.6) / 91.0 \
| 42.3 (5.6) / 35.8 (9.7) / 35.3 (6.4) / 81.8 | 9.9 (5.2) / 11.8 (4.9) / 14.9 (3.4) / 66.0
RoBERTa-large FT | 50.8 (0.5) / 44.6 (5.1) / 44.7 (2.6) / 93.2 | 58.5 (8.8) / 56.9 (3.4) / 48.4 (6.7) / 91.2 \
| 38.1 (7.2) / 40.1 (6.4) / 43.5 (4.4) / 89.4 | 12.0 (1.9) / 9.9 (6.2) / 16.0 (2.8) / 80.3
DeBERTa-large FT | 50.1 (1.2) / 47.8 (2.5) / 48.2 (2.9) / 93.6 | 58.5 (3.3) / 57.9 (5.8) / 58.3 (6.2) / 91.1 \
| 41.4 (7.3) / 44.4 (4.5) / 38.7 (7.4) / 90.0 | 15.7 (5.0) / 16.8 (5.7) / 21.1 (3.6) / 80.7
T5-large FT | 46.3 (6.9) / 50.0 (0.7) / 51.2 (0.1) / 92.2 | 61.7 (0.7) / 62.1 (0.2) / 62.4 (0.6) / 87.4 \
| 43.6 (3.5) / 28.7 (13.0) / 43.7 (2.7) / 87.2 | 11.9 (2.7) / 11.7 (1.5) / 12.0 (3.8) / 77.3
"""
CLUES_HOW = {"FT": "fine-tuning", "PT": "prompts", "ICL": "in context"}

# Precision/recall/F1 and the deviation of F1; 5-way 1-shot, 5-way 5-shot, 10-way 1-shot, 10-way 5-shot.
WAYS = ((5, 1), (5, 5), (10, 1), (10, 5))
FEW_NERD_TABLES_5_AND_6 = {
    ("intra", "ProtoBERT"): "16.35/28.35/20.71 1.16 | 31.43/45.28/37.08 1.01 | 12.05/21.27/15.32 0.68 "
    "| 23.15/35.83/28.02 0.56",
    ("intra", "NNShot"): "20.47/23.05/21.58 0.70 | 23.88/28.35/25.66 0.78 | 14.83/16.90/15.72 0.53 "
    "| 18.18/22.45/19.82 1.11",
    ("intra", "StructShot"): "31.40/19.63/23.95 2.39 | 45.20/22.80/29.68 1.11 | 23.15/8.61/12.31 0.72 "
    "| 40.40/11.35/17.10 1.75",
    ("inter", "ProtoBERT"): "31.45/46.44/37.49 1.63 | 46.88/59.54/52.42 0.60 | 22.17/34.72/26.98 0.79 "
    "| 50.87/63.30/56.29 0.79",
    ("inter", "NNShot"): "38.32/42.82/40.31 2.30 | 39.40/43.34/42.66 1.07 | 29.52/34.06/31.54 1.63 "
    "| 33.74/41.82/37.09 0.13",
    ("inter", "StructShot"): "49.45/32.44/38.78 5.70 | 42.62/32.47/35.95 1.09 | 32.54/17.54/22.61 0.95 "
    "| 41.82/44.52/42.75 0.62",
}
FEW_NERD_TABLE_4 = {
    "CoNLL'03": "90.62/92.07/91.34",
    "OntoNotes 5.0": "90.00/88.24/89.11",
    None: "67.39/70.45/68.88",
}
# FP/FN/within/outer.
FEW_NERD_TABLE_7 = {
    "ProtoBERT": "6.01/3.25/5.13/11.69",
    "NNShot": "4.73/5.77/5.77/14.98",
    "StructShot": "3.11/8.42/5.59/13.62",
}
# F1 on the current data, 5-1/10-1/5-5/10-5.
FEW_NERD_CURRENT = {
    "ProtoBERT": {"intra": "20.76/15.05/42.54/35.40", "inter": "38.83/32.45/58.79/52.92"},
    "NNShot": {"intra": "25.78/18.27/36.18/27.38", "inter": "47.24/38.87/55.64/49.57"},
    "StructShot": {"intra": "30.21/21.03/38.00/26.42", "inter": "51.88/43.34/57.32/49.57"},
    "ESD": {"intra": "36.08/30.00/52.14/42.15", "inter": "59.29/52.16/69.06/64.00"},
    "DecomposedMetaNER": {"intra": "49.48/42.84/62.92/57.31", "inter": "64.75/58.65/71.49/68.11"},
}
# F1 where the source does not say on which data, 5-1/5-5/10-1/10-5.
FEW_NERD_LATER = {
    "NuNER": {"intra": "62.48/69.16/57.63/62.99", "inter": "67.37/73.50/66.54/71.04"},
    "TadNER": {"intra": "60.78/67.94/55.44/60.87", "inter": "64.83/72.12/64.06/69.94"},
    "HEProto": {"intra": "53.03/65.70/46.45/58.98", "inter": "66.40/72.53/60.91/68.92"},
}

# Intent accuracy/slot F1/sentence accuracy.
FEWJOINT_TABLE_4 = "SepProto 72.30/34.11/16.40; JointProto 78.46/40.37/23.65; JointProto + Finetune 73.82/61.79/38.97"
FEWJOINT_README = {
    1: "SepProto 68.29/33.16/15.71; JointProto 59.41/35.51/15.81; LD-Proto 69.08/34.53/19.44; "
    "LD-Proto + TR 67.64/45.20/22.69; ConProm 66.51/39.07/21.09; ConProm + TR 65.03/47.66/25.85",
    5: "SepProto 76.42/40.08/20.40; JointProto 66.94/40.08/17.95; LD-Proto 77.70/41.14/22.23; "
    "LD-Proto + TR 77.01/53.23/27.94; ConProm 77.93/43.68/25.07; ConProm + TR 77.07/57.11/34.44",
}

# Accuracy and its deviation, F1 and its deviation; 1 shot | 5 shots.
FEWREL_TABLE_3 = (
    "Sentence-Pair 75.48 0.33, 71.85 0.44 | 78.43 0.25, 75.43 0.31; "
    "Threshold 76.32 0.12, 73.34 0.25 | 80.30 0.09, 78.89 0.11; "
    "NAV 78.54 0.08, 75.00 0.22 | 80.44 0.11, 79.20 0.14; "
    "MNAV 78.23 0.13, 75.22 0.19 | 81.25 0.18, 80.06 0.11"
)
# Hidden test, accuracy: 15 % NOTA at 1 and 5 shots, 50 % at 1 and 5 shots.
FEWREL_NOTA = {
    "MNAV": "79.06/85.52/81.69/87.74",
    "BERT-PAIR": "77.67/84.19/80.31/86.06",
    "Proto (BERT)": "70.02/83.79/45.94/75.21",
    "Proto (CNN)": "60.59/77.79/40.00/61.66",
}
# Accuracy of domain adaptation: 5-1/5-5/10-1/10-5.
FEWREL_ADAPTATION = {
    ("test", "GTP"): "80.04/92.58/69.25/86.88",
    ("test", "DualGraph"): "80.11/91.01/73.89/82.34",
    ("test", "BERT-PAIR"): "67.41/78.57/54.89/66.85",
    ("validation", "BERT-PAIR"): "70.70/80.59/59.52/70.30",
    ("test", "HCRP"): "76.34/83.03/63.77/72.94",
    ("validation", "HCRP"): "78.90/83.22/68.99/74.45",
}


def numbers(text):
    """The numbers between strokes."""
    return [float(number) for number in text.split("/")]


def scores_and_deviations(text):
    """Of "46.2 (5.6) / 51.3 (0) x 2 / - / 98.1": scores with their deviations, None where there is none."""
    found = []
    for cell in text.split("/"):
        score, deviation, times = re.fullmatch(r" *(-|[\d.]+)(?: \(([\d.]+)\))?(?: x (\d))? *", cell).groups()
        value = None if score == "-" else (float(score), None if deviation is None else float(deviation))
        found += [value] * int(times or 1)
    return found
